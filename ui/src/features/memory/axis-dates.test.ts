import { expect, it } from "vitest";
import { axisDates } from "./axis-dates";

const day = (month: number, date: number, hour = 12) =>
  new Date(2026, month - 1, date, hour).getTime();
const texts = (moments: (number | null)[], most = 4) =>
  axisDates(moments, most).map(({ at, text }) => `${at}: ${text}`);

it("dates the first step and the last, and as many between as there is room for", () => {
  const moments = Array.from({ length: 9 }, (_, at) => day(1, at + 1));
  expect(texts(moments)).toEqual(["0: 2026-01-01", "3: 2026-01-04", "8: 2026-01-09"]);
  expect(texts(moments, 9)).toHaveLength(9);
});

it("says a day once, and of one day the hours", () => {
  expect(texts([day(1, 1), day(1, 1, 13), day(2, 1), day(2, 1, 13)])).toEqual([
    "0: 2026-01-01",
    "2: 2026-02-01",
  ]);
  expect(texts([day(1, 1, 8), day(1, 1, 9)])).toEqual(["0: 2026-01-01 08:00", "1: 09:00"]);
});

it("passes over what is folded", () => {
  expect(texts([null, day(1, 1), null, day(5, 2)])).toEqual(["1: 2026-01-01", "3: 2026-05-02"]);
  expect(texts([null])).toEqual([]);
});
