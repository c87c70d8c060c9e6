import { expect, it } from "vitest";
import { memoTitle } from "./memo-title";

it("shows a memo's first line without its marks", () => {
  const check = (content: string, title: string) => expect(memoTitle({ content })).toBe(title);
  check("\n# **Retries** use `backoff`\nmore", "Retries use backoff");
  check("See [the note](docs/a.md) on my_name_here", "See the note on my_name_here");
  check("", "");
});
