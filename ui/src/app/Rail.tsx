// The rail: the repository in use, the places, and at its foot the settings.

import { Button as AriaButton } from "react-aria-components";
import { Hint, Kbd } from "../components/controls";
import { Icon, type IconName } from "../components/Icon";
import { AT_WORK_LINK, useAtWork } from "./at-work";
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
  const atWork = useAtWork();
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
              news={place === "agents" && atWork ? `${atWork} is at work` : undefined}
              onOpen={() =>
                place === "agents" && atWork && at !== place ? navigate(AT_WORK_LINK) : open(place)
              }
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
  /** What goes on there now. */
  news?: string;
  onOpen: () => void;
}) {
  const name = props.news ? `${props.label}: ${props.news}` : props.label;
  return (
    <Hint text={`${name} (${props.keys})`}>
      <AriaButton
        className="rail-item"
        data-testid={`nav-${props.target}`}
        aria-current={props.isCurrent ? "page" : undefined}
        aria-label={name}
        onPress={props.onOpen}
      >
        <Icon name={props.icon} />
        <span className="rail-label">{props.label}</span>
        {props.news && <i className="rail-badge" aria-hidden="true" data-testid="rail-badge" />}
      </AriaButton>
    </Hint>
  );
}
