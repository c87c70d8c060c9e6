// The rail: the repository in use, the places, and at its foot the settings.

import { Button as AriaButton } from "react-aria-components";
import { Hint, Kbd } from "../components/controls";
import { Icon, type IconName } from "../components/Icon";
import { MOD } from "./platform-keys";
import { RepoSwitcher } from "./RepoSwitcher";
import { navigate, PLACES, type Place, placeOf, type View } from "./route";
import { lastRoute } from "./session";

const NAMES: Record<Place, { label: string; icon: IconName }> = {
  search: { label: "Code", icon: "code" },
  changes: { label: "Changes", icon: "changes" },
  agents: { label: "Agents", icon: "agents" },
  memory: { label: "Memory", icon: "memory" },
  benchmark: { label: "Measure", icon: "benchmark" },
};

export function Rail({ view, onPalette }: { view: View; onPalette: () => void }) {
  const open = (target: View) => {
    // Whoever chooses the screen that the window begins with stays there once something can be searched.
    if (target !== view || location.hash === "") navigate(lastRoute(target));
  };
  const at = placeOf(view);
  return (
    <nav className="rail" aria-label="Places">
      <h1 className="visually-hidden">Whyrank</h1>
      <RepoSwitcher />
      <ul>
        {PLACES.map((place, index) => (
          <li key={place}>
            <Item
              {...NAMES[place]}
              target={place}
              keys={`${MOD}${index + 1}`}
              isCurrent={place === at}
              onOpen={() => open(place)}
            />
          </li>
        ))}
      </ul>
      <span className="spacer" />
      <Item
        label="Settings"
        icon="settings"
        target="settings"
        keys={`${MOD},`}
        isCurrent={view === "settings"}
        onOpen={() => open("settings")}
      />
      <AriaButton className="rail-item rail-palette" onPress={onPalette}>
        <Kbd>{MOD}K</Kbd>
        <span className="rail-label">Commands</span>
      </AriaButton>
    </nav>
  );
}

function Item(props: {
  label: string;
  icon: IconName;
  target: View;
  keys: string;
  isCurrent: boolean;
  onOpen: () => void;
}) {
  return (
    <Hint text={`${props.label} (${props.keys})`}>
      <AriaButton
        className="rail-item"
        data-testid={`nav-${props.target}`}
        aria-current={props.isCurrent ? "page" : undefined}
        aria-label={props.label}
        onPress={props.onOpen}
      >
        <Icon name={props.icon} />
        <span className="rail-label">{props.label}</span>
      </AriaButton>
    </Hint>
  );
}
