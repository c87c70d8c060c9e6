// Text with its matching ranges marked.

import { paintLine } from "./snippet";

export function Marked(props: {
  text: string;
  ranges: [number, number][];
  /** As code: in the colours of the editor. */
  painted?: boolean;
}) {
  const { text, ranges } = props;
  const whole = [{ start: 0, text, paint: undefined }];
  return (props.painted ? paintLine(text) : whole).map((of) => (
    <span key={of.start} className={of.paint && `hl-${of.paint}`}>
      {cut(of.text, within(ranges, of)).map(({ start, part, match }) =>
        match ? <mark key={start}>{part}</mark> : <span key={start}>{part}</span>,
      )}
    </span>
  ));
}

/** Ranges of the whole as ranges of a part. */
function within(ranges: [number, number][], part: { start: number; text: string }) {
  return ranges
    .map(([start, end]): [number, number] => [start - part.start, end - part.start])
    .filter(([start, end]) => end > 0 && start < part.text.length);
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
