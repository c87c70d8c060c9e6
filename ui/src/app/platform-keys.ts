// The modifier of shortcuts: ⌘ on a Mac, Ctrl elsewhere.

export const isMac = /Mac/.test(navigator.platform);

export const MOD = isMac ? "⌘" : "Ctrl+";

export function hasMod(event: { metaKey: boolean; ctrlKey: boolean }): boolean {
  return isMac ? event.metaKey : event.ctrlKey;
}

/** Whether a key press is meant for a text field rather than a shortcut; code that is only read is none. */
export function inTextField(event: { target: EventTarget | null }): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !["radio", "checkbox", "range"].includes(target.type);
  if (target.closest(".cm-content[aria-readonly=true]")) return false;
  return target.isContentEditable || target.tagName === "TEXTAREA" || target.tagName === "SELECT";
}
