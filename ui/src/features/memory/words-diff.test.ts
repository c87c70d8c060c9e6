import { expect, it } from "vitest";
import { wordDiff } from "./words-diff";

const shown = (before: string, after: string) =>
  wordDiff(before, after)
    .map(({ kind, text }) =>
      kind === "kept" ? text : kind === "gone" ? `[-${text}]` : `[+${text}]`,
    )
    .join("");

it("marks the words that differ", () => {
  expect(shown("Retries stop after three attempts", "Retries stop after four attempts")).toBe(
    "Retries stop after [-three][+four] attempts",
  );
});

it("keeps a word to which only a comma came", () => {
  expect(shown("counted in cents", "counted in cents, rounded")).toBe(
    "counted in cents[+, rounded]",
  );
});

it("gives both texts back", () => {
  const [before, after] = ["a b\nc  d e", "a x\nc d  e f"];
  const runs = wordDiff(before, after);
  const side = (left: "gone" | "new") =>
    runs.filter((run) => run.kind !== left).map((run) => run.text);
  expect(side("new").join("")).toBe(before);
  expect(side("gone").join("")).toBe(after);
});

it("compares long texts by lines", () => {
  const long = "word ".repeat(2_000);
  expect(shown(`${long}\none\n`, `${long}\ntwo\n`).endsWith("[-one\n][+two\n]")).toBe(true);
});

it("has nothing to say of equal texts", () => {
  expect(wordDiff("same", "same")).toEqual([{ kind: "kept", text: "same" }]);
  expect(wordDiff("", "")).toEqual([]);
});
