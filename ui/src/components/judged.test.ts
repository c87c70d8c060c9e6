import { expect, it } from "vitest";
import type { JudgedHit } from "../ipc";
import { verdictOn } from "./judged";

const place = (start_line: number, symbol: string | null) => ({
  path: "a.ts",
  start_line,
  end_line: start_line + 3,
  symbol,
});
const JUDGED: JudgedHit[] = [
  { repo: "a1", query: "q", place: place(3, "Router"), verdict: "right", at: 1 },
  { repo: "a1", query: "q", place: place(30, null), verdict: "wrong", at: 2 },
  { repo: "a1", query: "q", as_of: "abcdef", place: place(3, "Router"), verdict: "wrong", at: 3 },
];
const asked = { repo: "a1", query: " q ", asOf: null };

it("finds what was said of a definition wherever it stands, and of other places by their line", () => {
  expect(verdictOn(JUDGED, asked, place(8, "Router"))).toBe("right");
  expect(verdictOn(JUDGED, asked, place(30, null))).toBe("wrong");
  expect(verdictOn(JUDGED, asked, place(31, null))).toBeNull();
  expect(verdictOn(JUDGED, asked, { ...place(3, "Router"), path: "b.ts" })).toBeNull();
});

it("tells questions, repositories and commits apart", () => {
  expect(verdictOn(JUDGED, { ...asked, query: "r" }, place(3, "Router"))).toBeNull();
  expect(verdictOn(JUDGED, { ...asked, repo: "b2" }, place(3, "Router"))).toBeNull();
  expect(verdictOn(JUDGED, { ...asked, asOf: "abc" }, place(3, "Router"))).toBe("wrong");
});
