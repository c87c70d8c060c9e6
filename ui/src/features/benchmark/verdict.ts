// Who wins, in words. Says so when a baseline wins, and when nothing is settled.

import type { Estimate, Paired, PairRow, Summary, SummaryRow } from "../../ipc";
import { signedInterval, signedScore, tokensAgainst } from "./figures";
import { rowFor, WHOLE } from "./rows";
import { subjectLabel } from "./subjects";

export type Outcome = "ahead" | "behind" | "level";

/** With fewer differing tasks not even a sign test at 5% could tell: as in the reports. */
const CLEAR_FROM = 6;

/** Chunks drawn at random say how low a score can be; they are nobody's rival where there is a tool. */
const FLOOR = "random";

/** Whether zero is left out of an interval that so few tasks make that nothing is clear. */
export function differsInFew({ difference, wins, losses }: Paired): boolean {
  const isOneSided = difference.low > 0 || difference.high < 0;
  return isOneSided && wins + losses > 0 && wins + losses < CLEAR_FROM;
}

/** How the second of a pair stands to the first, by the interval of their difference. */
export function outcomeOf({ difference, wins, losses }: Paired): Outcome {
  if (wins + losses < CLEAR_FROM) return "level";
  if (difference.low > 0) return "ahead";
  return difference.high < 0 ? "behind" : "level";
}

/** Whether not one task came out otherwise. */
export function isSame({ wins, losses }: Paired): boolean {
  return wins === 0 && losses === 0;
}

/** What a subject reached on the tasks that are compared. */
export interface Standing {
  subject: string;
  mean: number;
  /** Known where those are all of its tasks. */
  interval: Estimate | undefined;
  tokens: number;
}

export interface SuiteVerdict {
  suite: string;
  /** The subject that the others are compared with, and the best of the others: over the same tasks. */
  main: Standing | undefined;
  best: Standing | undefined;
  /** How many those are, and of how many. */
  nTasks: number;
  nAll: number;
  headline: SummaryRow["headline"];
  outcome: Outcome | null;
  sentence: string;
  /** Where subjects that answer only some of the tasks are ahead. */
  asides: string[];
}

export function verdictOf(summary: Summary, suite: string): SuiteVerdict {
  const name = summary.run.subjects[0]?.name ?? "";
  const main = rowFor(summary, suite, name);
  const pairs = summary.pairs.filter((pair) => pair.suite === suite && pair.category === null);
  const tools = pairs.filter((pair) => pair.rival !== FLOOR);
  const whole = tools.filter((pair) => pair.paired.n >= (main?.n ?? 0) * WHOLE);
  const rival = strongest([whole, tools, pairs].find((some) => some.length > 0) ?? []);
  const best = rival ? rowFor(summary, suite, rival.rival) : bestRow(summary, suite, main?.subject);
  const partial = tools.filter((pair) => !whole.includes(pair) && pair !== rival);
  return {
    suite,
    main: main && standing(main, rival, "other"),
    best: best && standing(best, rival, "base"),
    nTasks: (main && rival?.paired.n) ?? (main ?? best)?.n ?? 0,
    nAll: (main ?? best)?.n ?? 0,
    headline: (main ?? best)?.headline ?? null,
    outcome: main && rival ? outcomeOf(rival.paired) : null,
    sentence:
      summary.run.state === "running" && !rival
        ? "The other tools have not answered yet."
        : sentenceOf(name, main, best, rival),
    asides: partial.filter((pair) => outcomeOf(pair.paired) !== "ahead").map(aside),
  };
}

/** Of two that are compared both have the means of the tasks that both answered. */
function standing(row: SummaryRow, pair: PairRow | undefined, side: "base" | "other"): Standing {
  const { subject, value, tokens, n } = row;
  if (!pair) return { subject, mean: value.mean, interval: value, tokens: tokens.mean };
  const interval = pair.paired.n === n ? value : undefined;
  return { subject, mean: pair.paired[side], interval, tokens: pair.tokens[side] };
}

function strongest(pairs: PairRow[]): PairRow | undefined {
  return [...pairs].sort((a, b) => b.paired.base - a.paired.base)[0];
}

function bestRow(summary: Summary, suite: string, but: string | undefined) {
  const rows = summary.rows.filter(
    (row) => row.suite === suite && row.group.by === "all" && row.subject !== but,
  );
  return rows.sort((a, b) => b.value.mean - a.value.mean)[0];
}

function sentenceOf(
  name: string,
  main: SummaryRow | undefined,
  best: SummaryRow | undefined,
  rival: PairRow | undefined,
): string {
  const own = subjectLabel(name);
  if (!main) {
    return best ? `${own} did not answer this suite; ${best.subject} did best.` : "No answers.";
  }
  if (!rival || !best) return "No other tool answered this suite.";
  const { difference, n } = rival.paired;
  const over = n < main.n ? ` over the ${n} tasks that both answered` : "";
  const by = `${signedScore(difference.mean)} ${signedInterval(difference)}${over}`;
  const words: Record<Outcome, string> = {
    ahead: `${own} is clearly ahead of ${rival.rival}, the best of the others: ${by}.`,
    behind: `${rival.rival} is clearly ahead of ${own}: ${by}.`,
    level: `No clear difference between ${own} and ${rival.rival}: ${by}.`,
  };
  return words[outcomeOf(rival.paired)] + tokensSentence(own, rival);
}

function tokensSentence(own: string, { tokens }: PairRow): string {
  const against = tokensAgainst(tokens.other, tokens.base);
  return against ? ` ${own} uses ${against} tokens per task.` : "";
}

function aside({ subject, rival, paired }: PairRow): string {
  const tasks = `the ${paired.n} tasks that ${rival} answers`;
  const by = `${signedScore(paired.difference.mean)} ${signedInterval(paired.difference)}`;
  return outcomeOf(paired) === "behind"
    ? `On ${tasks} it is clearly ahead of ${subjectLabel(subject)}: ${by}.`
    : `On ${tasks} there is no clear difference: ${by}.`;
}
