import { expect, it } from "vitest";
import { bestLine, paintLine } from "./snippet";

it("shows the line that holds most of the query's words, without its indent", () => {
  const line = (line: number, text: string, ...matches: [number, number][]) => ({
    line,
    text,
    matches,
  });
  const best = bestLine([line(1, "fn a() {", [3, 4]), line(2, "    b(a, a)", [6, 7], [9, 10])]);
  expect(best).toEqual({
    line: 2,
    text: "b(a, a)",
    matches: [
      [2, 3],
      [5, 6],
    ],
  });
  expect(bestLine([])).toBeUndefined();
});

it("paints a line and keeps every letter of it", () => {
  for (const text of ['return "a\\"b" + f(1) // c', "'", "# heading", "x #hash", "é(_, $a)", ""]) {
    expect(
      paintLine(text)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  }
  const paints = paintLine('if (a) f("s", 12) // why').flatMap((part) => part.paint ?? []);
  expect(paints).toEqual(["keyword", "function", "string", "number", "comment"]);
});
