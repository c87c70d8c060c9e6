// What the tests of the window share: finding by test id, reading, photographs.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { until } from "./webdriver.mjs";

export const testId = (name) => `[data-testid="${name}"]`;

/** Sizes that every screen is looked at in; the first is where tests go on. */
export const sizes = [
  [1280, 800],
  [900, 600],
];

export async function textOf(window, name) {
  const [found] = await window.find(testId(name));
  return found ? found.text() : "";
}

/** What an element holds, also where the driver takes cut text for hidden. */
export function contentOf(window, name) {
  return window.script("return document.querySelector(arguments[0])?.textContent ?? '';", testId(name));
}

/** Opens a choice and takes the option with this key, or the one at this place, from 1. */
export async function pick(window, name, option) {
  await window.click(`${testId(name)} button`);
  const place = typeof option === "number" ? `:nth-of-type(${option})` : `[data-key="${option}"]`;
  await window.click(`.choice-item${place}`);
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Nothing of moderate weight or more in the way of who cannot see, or sees less; the theme decides
 *  about contrast alone. */
async function audit(window, screen, theme) {
  // The page's own rules forbid to evaluate text; what the driver runs is not the page's.
  if (!(await window.script("return 'axe' in window;"))) await window.script(axe);
  const { violations, error } = await window.scriptLater(runAxe, theme === "dark" ? ["color-contrast"] : null);
  assert.equal(error, undefined, `${screen}: axe`);
  assert.deepEqual(violations, [], `${screen}, ${theme}`);
}

const runAxe = `
  const [rules, done] = arguments;
  // React Aria reads a message out by the label of a part that may be gone a moment later.
  const isSpoken = ({ element }) => !element?.isConnected || element.closest("[data-live-announcer]");
  window.axe.run(document, { elementRef: true, ...(rules && { runOnly: rules }) }).then(
    ({ violations }) =>
      done({
        violations: violations
          .map((one) => ({ ...one, nodes: one.nodes.filter((node) => !isSpoken(node)) }))
          .filter((one) => one.impact !== "minor" && one.nodes.length > 0)
          .map((one) => one.id + ": " + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")),
      }),
    (error) => done({ violations: [], error: String(error) }),
  );`;

/** Shows a lens by its key, and with the same key once more the whole window of it. */
export async function fillWith(window, lens, key) {
  const isShown = () => window.script("return document.querySelector('[data-testid=dock]')?.dataset.lens === arguments[0];", lens);
  if (!(await isShown())) {
    await window.press(key);
    await until(`the lens ${lens}`, isShown);
  }
  await window.press(key);
}

/** The screen as it is, light and dark, at both sizes; held against axe at the first. */
export async function photograph(window, screen) {
  for (const [width, height] of sizes.toReversed()) {
    await window.resize(width, height);
    for (const theme of ["dark", "light"]) {
      await window.script("document.documentElement.dataset.theme = arguments[0];", theme);
      await window.screenshot(`${screen}-${theme}-${width}x${height}`);
      if (width === sizes[0][0]) await audit(window, screen, theme);
    }
  }
}

export function installed(program) {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
