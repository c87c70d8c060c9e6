import { expect, it } from "vitest";
import { withoutSkipped } from "./WordsPanel";

it("says the reason alone, without what stood before it", () => {
  const check = (why: string, shown: string) => expect(withoutSkipped(why)).toBe(shown);
  check("skipped, the first stage is sure", "the first stage is sure");
  check("skipped: it is switched off.", "it is switched off");
  check("the trace was recorded without it", "the trace was recorded without it");
});
