/** The first line of a memo as plain text. */
export function memoTitle({ content }: { content: string }): string {
  const first = content.split("\n").find((line) => line.trim() !== "") ?? "";
  // Underscores stay: they are more often part of a name than emphasis.
  return first
    .replace(/^#+\s+/, "")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "");
}
