// What the desktop gives beside the window: notifications, links, and a key of its own.

import { preferences } from "../../app/preferences";
import { IconButton, Switch } from "../../components/controls";
import { copyAndSay } from "../../components/copy";
import { FailureLine } from "../../components/states";
import { useLinkState, useOpenLinksHere } from "../../ipc";
import { Section } from "./Section";

/** What a desktop starts when its key is pressed; the window that is open takes it. */
const PALETTE = "whyrank-desktop --palette";

export function DesktopSection() {
  const { notify } = preferences.use();
  return (
    <Section title="Desktop">
      <div className="desktop-switches">
        <Switch
          isSelected={notify}
          onChange={(notify) => preferences.set({ notify })}
          data-testid="desktop-notify"
        >
          Notify when long work ends and the window is not in front
        </Switch>
        <Links />
      </div>
      <p className="desktop-key">
        <span>
          A key that opens the palette from anywhere: in your desktop's settings, let it run
        </span>
        <code>{PALETTE}</code>
        <IconButton icon="copy" label="Copy the command" onPress={() => copyAndSay(PALETTE)} />
      </p>
    </Section>
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
