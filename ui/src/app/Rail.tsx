// The rail: the repository in use and the screens.

import { Button as AriaButton } from "react-aria-components";
import { Hint, Kbd } from "../components/controls";
import { Icon } from "../components/Icon";
import { MOD } from "./platform-keys";
import { RepoSwitcher } from "./RepoSwitcher";
import { navigate, VIEWS, type View } from "./route";
import { lastRoute } from "./session";

const LABELS: Record<View, string> = {
  repositories: "Repositories",
  search: "Search",
  explain: "Explain",
  graph: "Graph",
  memory: "Memory",
  agents: "Agents",
  benchmark: "Benchmark",
  settings: "Settings",
};

export function Rail({ view, onPalette }: { view: View; onPalette: () => void }) {
  const open = (target: View) => {
    // Whoever chooses the screen that the window begins with stays there once something can be searched.
    if (target !== view || location.hash === "") navigate(lastRoute(target));
  };
  return (
    <nav className="rail" aria-label="Screens">
      <h1 className="visually-hidden">Whyrank</h1>
      <RepoSwitcher />
      <ul>
        {VIEWS.map((target, index) => (
          <li key={target}>
            <Hint text={`${LABELS[target]} (${MOD}${index + 1})`}>
              <AriaButton
                className="rail-item"
                data-testid={`nav-${target}`}
                aria-current={target === view ? "page" : undefined}
                aria-label={LABELS[target]}
                onPress={() => open(target)}
              >
                <Icon name={target} />
                <span className="rail-label">{LABELS[target]}</span>
              </AriaButton>
            </Hint>
          </li>
        ))}
      </ul>
      <span className="spacer" />
      <AriaButton className="rail-item rail-palette" onPress={onPalette}>
        <Kbd>{MOD}K</Kbd>
        <span className="rail-label">Commands</span>
      </AriaButton>
    </nav>
  );
}
