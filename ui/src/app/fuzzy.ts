// How well typed words fit a command: each must begin words of it, or stand in it, in any order.

/** Smaller is better; `null` where a word fits nowhere. */
export function fitOf(typed: string, label: string): number | null {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = words.map((word) => fitOfWord(word, label.toLowerCase()));
  return fits.includes(null) ? null : Math.max(0, ...fits.map(Number));
}

function fitOfWord(word: string, text: string): number | null {
  if (text.startsWith(word)) return 0;
  if (text.includes(` ${word}`)) return 1;
  if (text.includes(word)) return 2;
  return abbreviates(word, text) ? 3 : null;
}

/** Whether the letters are beginnings of words of the text, in order: `nbr` of "new benchmark run". */
function abbreviates(word: string, text: string): boolean {
  if (word === "") return true;
  return text.split(" ").some((piece, at, pieces) => {
    const rest = pieces.slice(at + 1).join(" ");
    for (let length = commonStart(word, piece); length > 0; length -= 1) {
      if (abbreviates(word.slice(length), rest)) return true;
    }
    return false;
  });
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
