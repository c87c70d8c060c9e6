import { expect, it } from "vitest";
import { withoutCommand } from "./repo-state";

it("leaves out what only a terminal could do", () => {
  const check = (note: string, shown: string) => expect(withoutCommand(note)).toBe(shown);
  check("3 commits since main @ 91bd02e: run `whyrank index`", "3 commits since main @ 91bd02e");
  check("5 of 9 chunks have a vector; run `whyrank index` to go on", "5 of 9 chunks have a vector");
  check(
    "no embedding model (`whyrank models pull minilm-l6`): lexical channels only",
    "no embedding model: lexical channels only",
  );
  check("the folder is gone", "the folder is gone");
});
