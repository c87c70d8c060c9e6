// Text with its matching ranges marked.

export function Marked({ text, ranges }: { text: string; ranges: [number, number][] }) {
  return (
    <>
      {cut(text, ranges).map(({ start, part, match }) =>
        match ? <mark key={start}>{part}</mark> : <span key={start}>{part}</span>,
      )}
    </>
  );
}

interface Part {
  start: number;
  part: string;
  match: boolean;
}

/** Cuts a text at its ranges; ranges outside it or overlapping are bounded. */
export function cut(text: string, ranges: [number, number][]): Part[] {
  const parts: Part[] = [];
  let at = 0;
  const push = (end: number, match: boolean) => {
    if (end > at) parts.push({ start: at, part: text.slice(at, end), match });
    at = Math.max(at, end);
  };
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    push(Math.min(Math.max(0, start), text.length), false);
    push(Math.min(end, text.length), true);
  }
  push(text.length, false);
  return parts;
}
