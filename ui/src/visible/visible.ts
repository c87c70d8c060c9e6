// Text from repositories, memos and programs as it may be shown: as `visible::text` of crates/system does it.
// Both are held to the cases of visible-cases.json there.

/** What is there and is not seen, or moves what is seen: line ends and tabs aside. */
export const HIDDEN =
  /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\ufff9-\ufffb]/gu;

/** Hidden characters written out (`\u202e`); a carriage return before a line end goes. */
export function visible(text: string): string {
  if (text.search(HIDDEN) < 0) return text;
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(HIDDEN, (char, at, whole) => shownAfter(whole.slice(0, at), char) ?? char);
}

/** A hidden character written out; none where it is part of how the one before it looks. */
export function shownAfter(before: string, char: string): string | undefined {
  return isOfItsNeighbour(lastOf(before), char) ? undefined : writtenOut(char);
}

/** Joiners in scripts and emoji, the selector behind a sign, the mark that a file begins with. */
function isOfItsNeighbour(before: string, char: string): boolean {
  const isAscii = before <= "\u007f";
  switch (char) {
    case "\u200c":
    case "\u200d":
      return !isAscii;
    case "\ufe0e":
    case "\ufe0f":
      return (
        !isAscii && before.search(HIDDEN) < 0 && /[\u2100-\u2bff]|\P{Alphabetic}/u.test(before)
      );
    case "\ufeff":
      return before === "" || /\p{White_Space}/u.test(before);
    default:
      return false;
  }
}

function lastOf(text: string): string {
  return [...text.slice(-2)].at(-1) ?? "";
}

function writtenOut(char: string): string {
  if (char === "\r") return "\\r";
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
