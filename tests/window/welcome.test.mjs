// The first start: repositories of the home folder are offered, and one button leads to the first answer.

import assert from "node:assert/strict";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, home, repository, shop, skip, whyrankDesktop } from "../support.mjs";
import { contentOf, installed, photograph, sizes, testId, textOf } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

/** Texts of the page that have less room than they take, though there is more. */
const cut = `
  const texts = [...document.querySelectorAll(".welcome-list strong, .welcome-list .num, .welcome .button span")];
  return texts.filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().height > 24).map((one) => one.textContent);`;

test("a first start leads to the first answer", async (t) => {
  for (const program of ["Xvfb", "WebKitWebDriver"]) {
    if (!installed(program)) return skip(t, `${program} is not installed`);
  }
  const person = folder(t, "person");
  mkdirSync(join(person, "code"));
  cpSync(repository(t, shop), join(person, "code/shop"), { recursive: true });
  const display = await startDisplay(t);
  delete process.env.WAYLAND_DISPLAY;
  const env = { DISPLAY: display, HOME: person, WHYRANK_HOME: home(t), WHYRANK_WINDOW_READS: person };
  const window = await openWindow(t, { binary: whyrankDesktop, args: [], env });
  await window.resize(...sizes[0]);

  await window.see(testId("welcome"));
  await until("the repository is offered", async () => (await textOf(window, "welcome-repos")).includes("shop"));
  await photograph(window, "welcome");
  await until("the model that the settings name", async () => (await contentOf(window, "welcome")).includes("Download minilm-l6"));
  assert.equal(await textOf(window, "welcome-begin"), "Index shop");
  for (const step of ["+", "+", "0"]) {
    await window.keysDown([window.keys.control], [step]);
    await until(`nothing is cut after ${step}`, async () => (await window.script(cut)).length === 0, 10);
  }
  await window.click(testId("welcome-begin"));
  // Search opens by itself.
  await window.see(testId("search-input"), 60);
  await window.type(testId("search-input"), "value added tax of a country");
  const first = "return document.querySelector('[data-testid=search-hit]')?.dataset.path ?? '';";
  await until("the first hit", async () => (await window.script(first)) === "billing/tax.py");
});
