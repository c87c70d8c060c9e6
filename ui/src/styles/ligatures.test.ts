import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const SRC = resolve(import.meta.dirname, "..");

// Searched text is shown as it is written: `!=` is two characters, and so it is found.
it("draws no ligatures where code is shown", () => {
  const sheets = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".css"),
  );
  const rules = sheets.flatMap((path) =>
    [...readFileSync(resolve(SRC, path), "utf8").matchAll(/\{[^{}]*\}/g)]
      .filter(([rule]) => /\bfont(-family)?:[^;]*var\(--font-code\)/.test(rule))
      .map(([rule]) => ({ path, rule })),
  );
  expect(rules.length).toBeGreaterThan(5);
  for (const { path, rule } of rules) {
    // The shorthand `font` sets it back, so it must come after.
    const after = rule.replace(/^.*var\(--font-code\)/s, "");
    expect(after, path).toContain("font-variant-ligatures: none");
  }
});
