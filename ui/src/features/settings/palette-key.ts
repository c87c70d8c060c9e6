// The key that opens the palette from anywhere, as the shell reads it and as people do.

import { isMac } from "../../app/platform-keys";

interface Press {
  code: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  metaKey: boolean;
}

/** The key that is pressed, or nothing as long as it is not one: held keys alone, or none held. */
export function keyOf(press: Press): string | null {
  const { code, ctrlKey, altKey, shiftKey, metaKey } = press;
  if (code === "" || /^(Control|Alt|Shift|Meta|OS)/.test(code)) return null;
  if (!ctrlKey && !altKey && !metaKey) return null;
  const held = [
    ctrlKey && "Control",
    altKey && "Alt",
    shiftKey && "Shift",
    metaKey && "Super",
  ].filter((name) => name !== false);
  return [...held, code].join("+");
}

const WORDS: Record<string, string> = {
  Control: isMac ? "⌃" : "Ctrl",
  Alt: isMac ? "⌥" : "Alt",
  Shift: isMac ? "⇧" : "Shift",
  Super: isMac ? "⌘" : "Super",
};

/** `Control+Alt+KeyW` as `Ctrl+Alt+W`. */
export function keyInWords(key: string): string {
  const word = (part: string) => WORDS[part] ?? part.replace(/^(Key|Digit|Arrow)(?=.)/, "");
  return key.split("+").map(word).join("+");
}
