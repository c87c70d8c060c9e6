// What the desktop gives beside the window: a tray, a key, notifications, links.

import { preferences } from "../../app/preferences";
import { Switch } from "../../components/controls";
import { FailureLine } from "../../components/states";
import {
  type DesktopSettings,
  type DesktopState,
  useDesktop,
  useLinkState,
  useOpenLinksHere,
  useSetDesktop,
} from "../../ipc";
import { PaletteKey } from "./PaletteKey";
import { Section } from "./Section";

export function DesktopSection() {
  const { notify } = preferences.use();
  const desktop = useDesktop();
  const set = useSetDesktop();
  const choose = (change: Partial<DesktopSettings>) =>
    desktop.data && set.mutate({ ...desktop.data.settings, ...change });
  return (
    <Section title="Desktop">
      <div className="desktop-switches">
        <Switch
          isSelected={notify}
          onChange={(notify) => preferences.set({ notify })}
          data-testid="desktop-notify"
        >
          Notify when long work ends while the window is in the background
        </Switch>
        {desktop.data && <TraySwitches state={desktop.data} onChoose={choose} />}
        <Links />
      </div>
      {desktop.data && (
        <PaletteKey
          chosen={desktop.data.settings.palette_key}
          state={desktop.data.key}
          onChoose={(palette_key) => choose({ palette_key })}
        />
      )}
      <FailureLine error={set.error ?? desktop.error} />
    </Section>
  );
}

function TraySwitches(props: {
  state: DesktopState;
  onChoose: (change: Partial<DesktopSettings>) => void;
}) {
  const { settings, tray_missing } = props.state;
  if (tray_missing) {
    return (
      <p className="small muted" data-testid="desktop-tray">
        Tray icon: {tray_missing}.
      </p>
    );
  }
  return (
    <>
      <Switch
        isSelected={settings.tray}
        onChange={(tray) => props.onChoose({ tray })}
        data-testid="desktop-tray"
      >
        Show a tray icon with what is being indexed
      </Switch>
      <Switch
        isSelected={settings.tray && settings.keep_in_tray}
        isDisabled={!settings.tray}
        onChange={(keep_in_tray) => props.onChoose({ keep_in_tray })}
        data-testid="desktop-keep"
      >
        Keep running in the tray when the window is closed
      </Switch>
    </>
  );
}

function Links() {
  const state = useLinkState();
  const open = useOpenLinksHere();
  const { missing, opens_here = false } = state.data ?? {};
  if (missing) {
    return (
      <p className="small muted" data-testid="desktop-links">
        whyrank:// links: {missing}.
      </p>
    );
  }
  return (
    <>
      <Switch
        isSelected={opens_here}
        onChange={(on) => open.mutate(on)}
        isDisabled={!state.data}
        data-testid="desktop-links"
      >
        Open whyrank:// links with this program
      </Switch>
      <FailureLine error={open.error ?? state.error} />
    </>
  );
}
