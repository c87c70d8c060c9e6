// The dates along an axis of moments: as many as can be read side by side, each once.

import { dateTime } from "../../components/format";

export interface AxisDate {
  /** The step that it stands at. */
  at: number;
  text: string;
}

/** Dates of steps that lie far enough from each other; of one day the hours after its first. A step without a
 * moment has none. */
export function axisDates(moments: readonly (number | null)[], most: number): AxisDate[] {
  const written = moments.map((ms) => (ms === null ? null : dateTime(ms)));
  const days = new Set(written.flatMap((text) => (text === null ? [] : [text.slice(0, DAY)])));
  const wordsOf = (text: string, isFirst: boolean) => {
    if (days.size > 1) return text.slice(0, DAY);
    return isFirst ? text : text.slice(DAY + 1);
  };
  const places = written.flatMap((text, at) => (text === null ? [] : [at]));
  const gap = moments.length / Math.max(1, most);
  const dates: AxisDate[] = [];
  const add = (at: number) => {
    const before = dates.at(-1);
    const text = wordsOf(written[at] ?? "", !before);
    if (before && (before.text === text || at - before.at < gap)) return;
    dates.push({ at, text });
  };
  const last = places.at(-1);
  for (const at of places) if (last === undefined || at === last || last - at >= gap) add(at);
  return dates;
}

/** The length of a day, as it is written: `2026-05-01`. */
const DAY = 10;
