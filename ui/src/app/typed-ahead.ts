// Keys pressed after the palette was called and before its box is there: kept for the box.

/** A palette that does not come in this time never will. */
const PATIENCE_MS = 5000;

export interface TypedAhead {
  text: string;
  /** Enter was pressed after it. */
  isEntered: boolean;
}

let held: TypedAhead | undefined;
let since = 0;
let onEscape: () => void = () => {};

/** Keeps keys until the box takes them; Escape means that no palette is wanted. */
export function holdKeys(onGiveUp: () => void): void {
  if (held) return;
  held = { text: "", isEntered: false };
  since = performance.now();
  onEscape = onGiveUp;
  window.addEventListener("keydown", onKey, true);
}

/** What was typed before the box was there. */
export function takeKeys(): TypedAhead | undefined {
  const taken = held;
  held = undefined;
  window.removeEventListener("keydown", onKey, true);
  return taken;
}

function onKey(event: KeyboardEvent): void {
  const isLate = performance.now() - since > PATIENCE_MS;
  if (!held || isLate || document.activeElement?.matches(".palette-input")) {
    takeKeys();
    return;
  }
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    takeKeys();
    onEscape();
  } else if (event.key === "Enter") held.isEntered = true;
  else if (event.key === "Backspace") held.text = held.text.slice(0, -1);
  else if ([...event.key].length === 1) held.text += event.key;
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
