// The key that opens the palette from anywhere: pressed to be chosen; without one there is none.

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button, IconButton, Kbd } from "../../components/controls";
import { copyAndSay } from "../../components/copy";
import type { DesktopState } from "../../ipc";
import { keyInWords, keyOf } from "./palette-key";

/** What a desktop starts when its key is pressed; the window that is open takes it. */
const PALETTE = "whyrank-desktop --palette";

export function PaletteKey(props: {
  chosen: string | null;
  state: DesktopState["key"];
  onChoose: (key: string | null) => void;
}) {
  const { unavailable, refused } = props.state;
  const [isAsking, setIsAsking] = useState(false);
  if (unavailable) return <ByDesktop reason={unavailable} />;
  const choose = (key: string | null) => {
    setIsAsking(false);
    props.onChoose(key);
  };
  return (
    <div className="desktop-key" data-testid="desktop-key">
      <span>Open the palette from anywhere</span>
      {isAsking ? (
        <Asking onKey={choose} onStop={() => setIsAsking(false)} />
      ) : (
        <>
          {props.chosen && <Kbd>{keyInWords(props.chosen)}</Kbd>}
          <Button data-testid="desktop-key-set" onPress={() => setIsAsking(true)}>
            {props.chosen ? "Change" : "Set a key"}
          </Button>
          {props.chosen && (
            <IconButton
              icon="close"
              label="Remove the key"
              data-testid="desktop-key-remove"
              onPress={() => choose(null)}
            />
          )}
        </>
      )}
      {props.chosen && refused && (
        <p className="small desktop-refused" role="alert">
          {keyInWords(props.chosen)} does not work: {refused}.
        </p>
      )}
    </div>
  );
}

function Asking({ onKey, onStop }: { onKey: (key: string) => void; onStop: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    const key = keyOf(event.nativeEvent);
    if (key) onKey(key);
    else if (event.key === "Escape") onStop();
  };
  return (
    <input
      ref={field}
      className="input desktop-press"
      aria-label="Press a key together with Ctrl, Alt or Super"
      placeholder="Press a key with Ctrl, Alt or Super"
      readOnly
      data-testid="desktop-key-press"
      onKeyDown={onKeyDown}
      onBlur={onStop}
    />
  );
}

/** Where no program can have a key, the desktop's own settings can. */
function ByDesktop({ reason }: { reason: string }) {
  return (
    <div className="desktop-key" data-testid="desktop-key">
      <span>
        To open the palette from anywhere, give this command a key in your desktop's settings
        <span className="muted"> ({reason})</span>
      </span>
      <code>{PALETTE}</code>
      <IconButton icon="copy" label="Copy the command" onPress={() => copyAndSay(PALETTE)} />
    </div>
  );
}
