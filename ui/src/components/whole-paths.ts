// A path stands in boxes, its folders, its name and its line, and WebKit breaks the line between boxes in what is
// copied: what is pasted would open nothing.

/** Joins the paths of a selection when it is copied; returns what ends that. */
export function copyPathsWhole(): () => void {
  const onCopy = (event: ClipboardEvent) => {
    const selection = document.getSelection();
    if (event.defaultPrevented || !selection || selection.isCollapsed) return;
    const text = selection.toString();
    const textOf = (part: Element) => part.textContent ?? "";
    const isIn = (part: Element) => selection.containsNode(part, true);
    const parts = (selector: string) => [...document.querySelectorAll(selector)].filter(isIn);
    const befores = parts(".path-before").map(textOf);
    const lines = parts(".path-line").map(textOf);
    const whole = joined(
      befores.reduce(afterRepository, joined(text, lines)),
      parts(".path-folders + .path-name").map(textOf),
    );
    if (whole === text) return;
    event.clipboardData?.setData("text/plain", whole);
    event.preventDefault();
  };
  document.addEventListener("copy", onCopy);
  return () => document.removeEventListener("copy", onCopy);
}

/** The slash stands with the repository only where a file lies beside no folder. */
function afterRepository(text: string, before: string): string {
  const slash = before.endsWith("/") ? "" : "/";
  return text.replaceAll(`${before}\n${slash}`, `${before}${slash}`);
}

/** The text without line breaks before these names; the last may be cut by the end of the selection. */
export function joined(text: string, names: readonly string[]): string {
  const whole = names.reduce((rest, name) => rest.replaceAll(`\n${name}`, name), text);
  const last = whole.slice(whole.lastIndexOf("\n") + 1);
  const isCut = last !== "" && names.some((name) => name.startsWith(last));
  return isCut && whole.includes("\n") ? whole.slice(0, whole.lastIndexOf("\n")) + last : whole;
}
