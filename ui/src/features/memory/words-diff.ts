// The difference of two texts word by word, as runs that are kept, gone or new.

export interface Run {
  kind: "kept" | "gone" | "new";
  text: string;
}

/** Beyond this the table of a word-by-word comparison grows too large: lines are compared then. */
const MAX_WORDS = 1_500;

export function wordDiff(before: string, after: string): Run[] {
  const words = (text: string) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]+/gu) ?? [];
  const lines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const [a, b] = [words(before), words(after)];
  const isLong = a.length > MAX_WORDS || b.length > MAX_WORDS;
  return isLong ? joined(steps(lines(before), lines(after))) : joined(steps(a, b));
}

/** The longest common subsequence, walked from the start. */
function steps(a: string[], b: string[]): Run[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  )
    tail += 1;
  const kept = (text: string): Run => ({ kind: "kept", text });
  return [
    ...a.slice(0, head).map(kept),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(kept),
  ];
}

function middle(a: string[], b: string[]): Run[] {
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      best[i * width + j] =
        a[i] === b[j]
          ? (best[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
  const runs: Run[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      runs.push({ kind: "kept", text: a[i] ?? "" });
      i += 1;
      j += 1;
    } else if (
      j >= b.length ||
      (i < a.length && (best[(i + 1) * width + j] ?? 0) >= (best[i * width + j + 1] ?? 0))
    ) {
      runs.push({ kind: "gone", text: a[i] ?? "" });
      i += 1;
    } else {
      runs.push({ kind: "new", text: b[j] ?? "" });
      j += 1;
    }
  }
  return runs;
}

function joined(runs: Run[]): Run[] {
  const whole: Run[] = [];
  for (const run of runs) {
    const last = whole.at(-1);
    if (last?.kind === run.kind) last.text += run.text;
    else whole.push({ ...run });
  }
  return whole;
}
