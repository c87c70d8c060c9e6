// What the tests of the window share: finding by test id, reading, photographs.

import { execFileSync } from "node:child_process";

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

/** The screen as it is, light and dark, at both sizes. */
export async function photograph(window, screen) {
  for (const [width, height] of sizes.toReversed()) {
    await window.resize(width, height);
    for (const theme of ["dark", "light"]) {
      await window.script("document.documentElement.dataset.theme = arguments[0];", theme);
      await window.screenshot(`${screen}-${theme}-${width}x${height}`);
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
