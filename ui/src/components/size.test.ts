import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const MOST_LINES = 150;

/** Functions at the edge of a file, by their length. */
function functions(text: string): { name: string; n_lines: number }[] {
  const found = text.matchAll(/^(?:export )?function (\w+)[\s\S]*?^}$/gm);
  return [...found].map(([body, name = ""]) => ({ name, n_lines: body.split("\n").length }));
}

it("a component can be read on a page or two", () => {
  const src = resolve(import.meta.dirname, "..");
  const long = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test)\.tsx$/.test(path))
    .flatMap((path) =>
      functions(readFileSync(join(src, path), "utf8"))
        .filter(({ n_lines }) => n_lines > MOST_LINES)
        .map(({ name, n_lines }) => `${path}: ${name} has ${n_lines} lines`),
    );
  expect(long).toEqual([]);
});
