// A moment as it is written in the window, 2026-05-01 16:30 in the time of this machine, and back.

import { dateTime } from "./format";

const PATTERN = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]+(\d{1,2}):(\d{2}))?$/;

/** The day of a date, as it is written: 2026-05-01. */
export const dayInWords = (date: Date) => dateTime(date.getTime()).slice(0, -6);

/** Milliseconds since the epoch of what is written; a day alone is its beginning. `null` where no day is
 * called that, as the 31st of June. */
export function momentOf(written: string): number | null {
  const parts = PATTERN.exec(written.trim());
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const date = new Date(year, month - 1, day, hour, minute);
  const isThatDay = date.getMonth() === month - 1 && date.getDate() === day;
  return isThatDay && hour < 24 && minute < 60 ? date.getTime() : null;
}

/** Where each part of a written moment ends, from the year to the minute. */
const ENDS = [4, 7, 10, 13, 16];

/** The part that the caret is in: its bounds, to be marked, and its place from the year (0) to the minute (4). */
export function partAt(caret: number): { place: number; from: number; to: number } {
  const place = Math.max(
    0,
    ENDS.findIndex((end) => caret <= end),
  );
  return { place, from: place === 0 ? 0 : (ENDS[place - 1] ?? 0) + 1, to: ENDS[place] ?? 16 };
}

/** The moment with one part more or less; a day that the new month lacks becomes its last. */
export function stepped(ms: number, place: number, by: number): number {
  const date = new Date(ms);
  if (place === 4) return ms + by * 60_000;
  if (place === 3) return ms + by * 3_600_000;
  if (place === 2) date.setDate(date.getDate() + by);
  else {
    const day = date.getDate();
    date.setDate(1);
    date.setMonth(date.getMonth() + by * (place === 1 ? 1 : 12));
    date.setDate(Math.min(day, daysOf(date)));
  }
  return date.getTime();
}

function daysOf(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
}

/** The weeks of a date's month, from Monday to Sunday; `null` is a day of another month. */
export function weeksOf(date: Date): (Date | null)[][] {
  const first = new Date(date.getFullYear(), date.getMonth(), 1);
  const before = (first.getDay() + 6) % 7;
  const n = daysOf(date);
  const weeks: (Date | null)[][] = [];
  for (let start = -before; start < n; start += 7) {
    weeks.push(
      Array.from({ length: 7 }, (_, at) => {
        const day = start + at + 1;
        return day < 1 || day > n ? null : new Date(date.getFullYear(), date.getMonth(), day);
      }),
    );
  }
  return weeks;
}
