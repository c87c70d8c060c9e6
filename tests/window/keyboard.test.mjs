// Seven journeys in the real window by keyboard alone, on a home and a machine of their own.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, home, repository, shop, skip, whyrankDesktop } from "../support.mjs";
import { contentOf, fillWith, installed, photograph, sizes, testId, textOf } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const CURSOR = '{\n  "mcpServers": {}\n}\n';
const [up, shift, alt] = ["\uE013", "\uE008", "\uE00A"];

test("seven journeys by keyboard alone", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const person = folder(t, "person");
  const config = join(person, ".cursor/mcp.json");
  mkdirSync(join(person, ".cursor"));
  writeFileSync(config, CURSOR);
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: home(t), HOME: person, XDG_CONFIG_HOME: "" };
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [repository(t, { ...shop, ...long })], env });
  await window.resize(...sizes[0]);
  await window.click(testId("nav-repositories"));
  await until("the repository is ready", async () => (await textOf(window, "repo-row")).match(/ready|up to date/i), 60);

  const { control, enter, escape, down, left, tab } = window.keys;
  const go = (screen) => window.keysDown([control], [String(screen)]);
  const isFocused = (selector) =>
    until(`${selector} has the focus`, () => window.script("return document.activeElement?.matches(arguments[0]) ?? false;", selector), 15);
  const hash = () => window.script("return location.hash;");
  const rank = () => window.script("return document.querySelector('[data-testid=search-hit][aria-selected=true]')?.id ?? '';");
  const chosen = () => window.script("return document.querySelector('[data-testid=search-hit][aria-selected=true]')?.dataset.path ?? '';");

  await t.test("find and read: into the file at its hit, and out again to where one was", async () => {
    await go(1);
    await isFocused(testId("search-input"));
    await window.write("settle the ledger of the last quarter");
    // The words typed so far have an answer too, with another place in that file.
    await until("the long file is first, at the place that is meant", () =>
      window.script("const one = document.querySelector('[data-testid=search-hit][aria-selected=true]'); return one?.dataset.path === 'books/ledger.py' && Number(one.dataset.line) === 601 && !document.querySelector('.hit-list[data-stale]');"));
    await until("its text is there", async () => (await textOf(window, "preview")).includes("settle_ledger"));
    const place = () => window.script("return document.querySelector('.preview .cm-scroller')?.scrollTop ?? 0;");
    await window.press(enter);
    await isFocused(".hit-rows");
    await until("the preview is at the hit", async () => (await place()) > 1000);
    const before = await place();
    await window.press(enter);
    await isFocused(".preview .cm-content");
    await new Promise((done) => setTimeout(done, 300));
    assert.ok(Math.abs((await place()) - before) < 100, `from ${before} to ${await place()}`);
    await window.press("?");
    await window.see("[role=dialog]");
    await window.press(escape);
    await until("the sheet is gone", async () => (await window.find("[role=dialog]")).length === 0);
    await isFocused(".preview .cm-content");
    await window.press(escape);
    await isFocused(".hit-rows");
    await window.press(escape);
    await isFocused(testId("search-input"));
  });

  await t.test("explain and compare: the reasons of a hit against another's, and back to the hit", async () => {
    await window.keysDown([control], ["a"]);
    await window.write("value added tax of a country");
    await until("the answer is the newest", async () => (await window.find(".hit-list[data-stale]")).length === 0);
    await until("the tax is first", async () => (await chosen()) === "billing/tax.py");
    await window.press(down);
    await isFocused(".hit-rows");
    await window.press("j");
    await until("the second hit", async () => (await rank()) === "hit-1");
    await fillWith(window, "why", "e");
    await window.see(testId("explain-table"));
    await isFocused(`${testId("explain-row")}[data-rank="2"]`);
    await window.keysDown([shift], [up]);
    await until("the comparison in words", async () => (await contentOf(window, "in-words")).length > 10);
    await window.press(escape);
    await until("search again", async () => (await hash()).startsWith("#/search"));
    await isFocused(".hit-rows");
    assert.equal(await rank(), "hit-1", "the hit that was chosen");
  });

  await t.test("graph and back: to a picked symbol, and by one step to the hits", async () => {
    await fillWith(window, "graph", "g");
    await until("the graph", async () => (await hash()).startsWith("#/graph"));
    await window.see(testId("graph-node"));
    await window.press("/");
    await isFocused(testId("graph-focus"));
    await window.write(`vatr${enter}`);
    await until("the picked symbol is the focus", async () => (await contentOf(window, "graph-details")).includes("billing/tax.py:4"));
    await window.press(escape);
    await until("the keys are the screen's", () => window.script("return document.activeElement !== document.body && !document.activeElement.matches('input');"));
    await window.press(escape);
    await until("the focus before, or search", async () => !(await hash()).includes("vat_rate"));
    await go(1);
    await isFocused(".hit-rows");
  });

  await t.test("palette: an abbreviation opens the symbol's code, and a file the file", async () => {
    for (const [typed, text] of [["vatr", "RATES.get"], ["prices.ts", "prices.get"]]) {
      await window.keysDown([control], ["k"]);
      await isFocused(".palette-input");
      await window.write(typed);
      await window.press(enter);
      await until("its code", async () => (await contentOf(window, "graph-code")).includes(text));
    }
    await go(1);
    await isFocused(".hit-rows");
  });

  await t.test("memo: written beside a hit, and found in memory", async () => {
    await window.press("m");
    await isFocused(testId("memory-content"));
    await window.write("Rates are frozen until the audit");
    await window.keysDown([control], [enter]);
    await until("it is listed", async () => (await contentOf(window, "memory-row")).includes("frozen until"));
  });

  await t.test("agent set-up and undo: the file is as before, byte for byte", async () => {
    await go(3);
    await until("cursor is found", async () => (await contentOf(window, "agents-found")).includes("Cursor"));
    await tabTo(`${testId("agent-cursor")} ${testId("agent-setup")}`);
    await window.press(enter);
    await until("it is set up", () => readFileSync(config, "utf8").includes("whyrank"), 30);
    await until("undo is offered", async () => (await window.find(`${testId("agent-cursor")} ${testId("agent-undo")}`)).length > 0, 30);
    await tabTo(`${testId("agent-cursor")} ${testId("agent-undo")}`);
    await window.press(enter);
    await until("it is undone", () => readFileSync(config, "utf8") === CURSOR, 30);
  });

  await t.test("settings: a weight moved survives a look elsewhere, and is saved or dropped", async () => {
    await go(",");
    const slider = `${testId("weight-slider-fts")} input, input${testId("weight-slider-fts")}`;
    await window.see(slider);
    await tabTo(slider);
    const value = () => window.script("return document.querySelector(arguments[0]).value;", slider);
    const before = await value();
    await window.press(left);
    await until("it moved", async () => (await value()) !== before);
    const moved = await value();
    await go(1);
    await isFocused(".hit-rows");
    await go(",");
    await window.see(slider);
    assert.equal(await value(), moved, "what was not saved is still there");
    await photograph(window, "settings-unsaved");
    await tabTo(testId("settings-discard"));
    await window.press(enter);
    await until("it is as saved", async () => (await value()) === before);
  });

  await t.test("regular expression: every line, what is wrong with half of it, and back to it", async () => {
    const lines = () =>
      window.script("return [...document.querySelectorAll('[data-testid=search-match]')].map((one) => `${one.dataset.path}:${one.dataset.line}`);");
    await go(1);
    await isFocused(".hit-rows");
    await window.press("/");
    await isFocused(testId("search-input"));
    await window.keysDown([alt], ["r"]);
    await window.keysDown([control], ["a"]);
    await window.write("price(Of|s");
    await until("the mistake and its place", async () => (await contentOf(window, "pattern-problem")).includes("unclosed group, at character 6"));
    await window.write(")\\b path:web/");
    // What was typed so far has lines too, until the last of it is answered.
    await until("its lines", async () => (await lines()).slice(0, 2).join() === "web/src/cart.ts:1,web/src/cart.ts:21");
    assert.ok((await lines()).includes("web/src/prices.ts:4"));
    await window.press(enter);
    await isFocused(".hit-rows");
    await window.press("j");
    await until("the second line", () => window.script("return document.querySelectorAll('[data-testid=search-match]')[1].getAttribute('aria-selected') === 'true';"));
    await until("its file", async () => (await textOf(window, "preview")).includes("lines.reduce"));
    await window.press("b");
    await until("who wrote it", async () => (await contentOf(window, "blame-line")).includes("first — A Tester"));
    await photograph(window, "search-regex");
    await window.press("b");
    await go(",");
    await go(1);
    await until("it is still asked", async () => (await hash()).includes("mode=regex") && (await lines()).length > 0);
  });

  /** Presses Tab until an element has the focus, as a person would. */
  async function tabTo(selector) {
    for (let steps = 0; steps < 120; steps += 1) {
      if (await window.script("return document.activeElement?.matches(arguments[0]) ?? false;", selector)) return;
      await window.press(tab);
    }
    assert.fail(`${selector} cannot be reached by Tab`);
  }
});

/** A file so long that its hit lies far below its beginning. */
const long = {
  "books/ledger.py": [
    ...Array.from({ length: 200 }, (_, n) => `def entry_${n}(book):\n    return book[${n}]\n\n`),
    'def settle_ledger(book):\n    """Settles the ledger of the last quarter."""\n    return sum(book)\n',
    ...Array.from({ length: 100 }, (_, n) => `\n\ndef exit_${n}(book):\n    return book[-${n}]\n`),
  ].join(""),
};
