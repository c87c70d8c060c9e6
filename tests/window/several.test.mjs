// One question to several repositories in the real window, by keyboard alone: a workspace, and all of them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { home, repository, shop, skip, whyrank, whyrankDesktop } from "../support.mjs";
import { contentOf, fillWith, installed, photograph, sizes, testId } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const shift = "\uE008";

const warehouse = {
  "stock/levels.py": 'def restock_level(country):\n    """The stock at which more is ordered for a country."""\n    return 7\n',
  "stock/orders.py": "from stock.levels import restock_level\n\n\ndef order(country):\n    return restock_level(country) * 2\n",
};

test("a question to several repositories, by keyboard alone", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: home(t) };
  const run = (...args) => execFileSync(whyrank, args, { env: { ...process.env, ...env }, stdio: "ignore" });
  const repos = [repository(t, shop), repository(t, warehouse, "warehouse")];
  for (const repo of repos) run("index", repo, "--no-vectors");
  run("workspace", "set", "pair", ...repos);
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [], env });
  await window.resize(...sizes[0]);

  const { control, enter, escape, down, tab } = window.keys;
  const isFocused = (selector) =>
    until(`${selector} has the focus`, () => window.script("return document.activeElement?.matches(arguments[0]) ?? false;", selector), 15);
  const asked = () => contentOf(window, "repo-switcher");
  const found = () =>
    window.script("return [...document.querySelectorAll('[data-testid=search-hit] .path-before')].map((one) => one.textContent);");
  const toBox = async () => {
    if (!(await window.script("return document.activeElement?.matches('[data-testid=search-input]');"))) await window.press("/");
    await isFocused(testId("search-input"));
  };
  /** Opens the list of repositories from the box and takes what has this name. */
  const choose = async (name) => {
    await toBox();
    for (let steps = 0; steps < 30 && !(await window.script("return document.activeElement?.matches('.repo-switcher');")); steps += 1)
      await window.keysDown([shift], [tab]);
    await isFocused(".repo-switcher");
    await window.press(enter);
    await window.see("[role=menu]");
    await window.write(name.slice(0, 4));
    await until(`${name} is under the keys`, () => window.script("return document.activeElement?.textContent.includes(arguments[0]) ?? false;", name));
    await window.press(enter);
    await until(`${name} is asked`, async () => (await asked()).includes(name));
  };

  await t.test("begins on Search, and arrows lead to what can be asked", async () => {
    await isFocused(testId("search-input"));
    await window.see(testId("example-searches"));
    await window.press(down);
    await isFocused(".search-again");
    const text = await window.script("return document.activeElement.textContent;");
    await window.press(enter);
    await isFocused(testId("search-input"));
    await until("it is asked", () => window.script("return document.activeElement.value === arguments[0];", text));
    await window.see(testId("search-hit"));
  });

  for (const name of ["All repositories", "pair"]) {
    await t.test(`${name}: hits of both, and back to them from the graph of one`, async () => {
      await choose(name);
      await toBox();
      await window.keysDown([control], ["a"]);
      await window.write("restock level or tax of a country");
      await until("hits of both", async () => new Set(await found()).size === 2);
      await window.press(enter);
      await isFocused(".hit-rows");
      await fillWith(window, "graph", "g");
      await until("the graph", () => window.script("return location.hash.startsWith('#/graph');"));
      await until("one repository is asked", async () => !(await asked()).includes(name));
      await window.press(escape);
      await isFocused(".hit-rows");
      await until("all are asked again", async () => (await asked()).includes(name) && new Set(await found()).size === 2);
      await fillWith(window, "why", "e");
      await window.see(testId("explain-table"));
      assert.match(await window.script("return document.querySelector('main').textContent;"), /2 repositories/);
      await window.press(escape);
      await isFocused(".hit-rows");
    });
  }
  await photograph(window, "search-several");
});
