import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { difference, linearOf, SIGHTS } from "../testing/colour-sight";

const css = readFileSync(`${import.meta.dirname}/tokens.css`, "utf8");
const [lightPart = "", darkPart = ""] = css.split('[data-theme="dark"]');
const THEMES = { light: colours(lightPart), dark: colours(darkPart) };

const ON_ALL = ["text", "text-2", "accent", "red"];
const CODE = Object.keys(THEMES.light).filter((name) => name.startsWith("code-"));
const MARKS = Object.keys(THEMES.light).filter((name) => /^(ch|subject|edge)-/.test(name));

/** Colours that stand beside each other in one picture. */
const FAMILIES = ["ch-", "subject-", "edge-"].map((start) =>
  Object.keys(THEMES.light).filter((name) => name.startsWith(start)),
);
/** Bars of two channels touch: several times of what can just be seen. */
const APART = 7;

describe.each(Object.entries(THEMES))("%s", (_, theme) => {
  it("has text of 4.5:1 on the backgrounds it stands on", () => {
    for (const name of ON_ALL) expectContrast(theme, name, ["bg", "bg-2"], 4.5);
    expectContrast(theme, "text-2", ["bg-3", "accent-soft", "hover"], 4.5);
    for (const name of [...CODE, "text"])
      expectContrast(theme, name, ["bg", "accent-soft", "mark"], 4.5);
    for (const tone of ["green", "amber", "red", "accent"]) {
      expectContrast(theme, tone, ["bg", `${tone}-soft`], 4.5);
    }
    expectContrast(theme, "on-accent", ["accent"], 4.5);
  });

  it("has marks of 3:1", () => {
    for (const name of [...MARKS, "border-strong"]) expectContrast(theme, name, ["bg", "bg-2"], 3);
  });

  it.each(SIGHTS)("has channels, subjects and edges that %s eyes tell apart", (sight) => {
    for (const family of FAMILIES)
      for (const [at, one] of family.entries())
        for (const other of family.slice(at + 1)) {
          const apart = difference(theme[one] ?? "", theme[other] ?? "", sight);
          expect(apart, `${one} and ${other}`).toBeGreaterThan(APART);
        }
  });
});

function colours(part: string): Record<string, string> {
  return Object.fromEntries(
    [...part.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1], match[2]]),
  );
}

function expectContrast(
  theme: Record<string, string>,
  name: string,
  grounds: string[],
  least: number,
) {
  for (const ground of grounds) {
    const ratio = contrast(theme[name] ?? "", theme[ground] ?? "");
    expect(ratio, `${name} on ${ground}`).toBeGreaterThanOrEqual(least);
  }
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = linearOf(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
