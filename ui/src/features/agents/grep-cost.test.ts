import { expect, it } from "vitest";
import { costInWords } from "./grep-cost";

const call = { id: 1, n_shown: 4, n_found: 3, tokens: 120, grep_tokens: 1_900 };

it("says for how many calls it speaks, and what grep did not show", () => {
  const cost = { baseline: "smart-grep-fair", n_calls: 9, calls: [call, { ...call, id: 2 }] };
  expect(costInWords(cost)).toBe(
    "For 2 of 9 calls, grep prints 3,800 tokens where Whyrank answered with 240, and shows 6 of the 8 places.",
  );
});

it("claims nothing where nothing can be compared", () => {
  expect(costInWords({ baseline: "smart-grep-fair", n_calls: 9, calls: [] })).toMatch(
    /^Nothing to compare/,
  );
});
