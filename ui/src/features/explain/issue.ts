// Which words of an issue's parts speak for a hit: its terms have them.

import type { IssuePart, IssueRecord, TraceRow } from "../../ipc";

export const LABELS: Record<IssuePart["kind"], string> = {
  title: "Title",
  prose: "Prose",
  code: "Code",
  output: "Output",
  message: "Error message",
  frame: "Traceback",
  name: "Names",
  path: "Files named",
  module: "Modules named",
  history: "Past commits",
};

export type Part = IssuePart & {
  /** What its terms add to the hit's score. */
  adds: number;
  reasons: string[];
  /** Where its text holds words that found the hit. */
  found: [number, number][];
};

/** The parts, those that say most of the hit first. */
export function partsOf(record: IssueRecord, row: TraceRow): Part[] {
  const parts = record.parts.map((part) => {
    const own = `issue-${part.kind}`;
    const terms = row.evidence.filter((one) => one.name === own || one.name.startsWith(`${own}-`));
    const reasons = terms.map((one) => one.reason);
    return {
      ...part,
      adds: terms.reduce((sum, one) => sum + one.contribution, 0),
      reasons,
      found: rangesOf(
        part.text,
        terms.flatMap(({ words = [] }) => words.filter(isWord)),
      ),
    };
  });
  return parts.sort((a, b) => b.adds - a.adds);
}

const isWord = (word: string) => word.length > 1;

/** Words of the text that begin with one of the stems. */
function rangesOf(text: string, stems: string[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const word of text.matchAll(/[\p{L}\p{N}_.]+/gu)) {
    const parts = word[0].toLowerCase().split(/[_.]/).concat(word[0].toLowerCase());
    const isFound = stems.some((stem) => {
      const small = stem.toLowerCase();
      return parts.some((part) => part.startsWith(small));
    });
    if (isFound) ranges.push([word.index, word.index + word[0].length]);
  }
  return ranges;
}
