// The five journeys of docs/journeys.md in the real window, each by mouse and by keyboard alone. Texts are written
// by keys in both; with the mouse, nothing else is pressed.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { home, repository, shop, skip, whyrank, whyrankDesktop } from "../support.mjs";
import { client } from "../../scripts/torture/lib.mjs";
import { contentOf, installed, sizes, testId, textOf } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const QUESTION = "gross amount of an invoice with value added tax";
const files = {
  ...shop,
  "tests/test_tax.py": 'from billing.tax import vat_rate\n\n\ndef test_rate():\n    assert vat_rate("DE") == 0.19\n',
};

test("five journeys", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const repo = repository(t, files);
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: home(t) };
  const run = (...args) => execFileSync(whyrank, args, { cwd: repo, env: { ...process.env, ...env }, stdio: "ignore" });
  run("index", repo, "--no-vectors");
  run("memo", "add", "Rates are frozen until the audit", "--anchor", "billing/tax.py#vat_rate");
  run("memo", "add", "Carts are never merged");
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [], env });
  await window.resize(...sizes[0]);
  const { control, enter, escape, down, left, tab } = window.keys;
  const has = (name, part) => async () => (await contentOf(window, name)).includes(part);
  const shows = (path) => until(`the code of ${path}`, () => window.script("return document.querySelector('[data-testid=preview]')?.dataset.path === arguments[0];", path));
  const lens = (id) => until(`the lens ${id}`, () => window.script("return document.querySelector('[data-testid=dock]')?.dataset.lens === arguments[0];", id));
  const hash = (part) => until(`the address has ${part}`, async () => (await window.script("return location.hash;")).includes(part));
  const isFocused = (selector) => until(`${selector} has the focus`, () => window.script("return document.activeElement?.matches(arguments[0]) ?? false;", selector));
  const place = (key) => window.keysDown([control], [key]);
  const row = (testid, part) => `return [...document.querySelectorAll('[data-testid=${testid}]')].findIndex((one) => one.textContent.includes('${part}')) + 1;`;

  await t.test("find and understand, by keyboard", async () => {
    await window.see(testId("nav-search"));
    await place("1");
    await window.press("/");
    await isFocused(testId("search-input"));
    await window.write(QUESTION);
    await isAnswered();
    await window.press(enter);
    await isFocused(".hit-rows");
    await window.press(down);
    await until("the second hit", async () => (await window.script("return document.querySelector('.hit-rows').getAttribute('aria-activedescendant');")) === "hit-1");
    await window.press("k");
    await isAnswered();
    await window.press("i");
    await lens("impact");
    await until("who breaks", has("impact-lens", "test"));
    await window.press("h");
    await lens("history");
    await until("who wrote it", has("history-lens", "first"));
    await window.press("e");
    await lens("why");
    await until("what carries it", has("why-lens-sentence", "rank"));
    await window.press("y");
    await until("it is judged", () => window.script("return document.querySelector('[data-testid=judge-right]')?.hasAttribute('data-selected') ?? false;"));
    await window.press(enter);
    await isFocused(".preview .cm-content");
    await until("names are links", () => window.script("return document.querySelector('.preview [data-name]') !== null;"));
    await walkTo("vat_rate");
    await window.press(" ");
    await until("what it means", has("peek-code", "Value added tax of a country"));
    await window.press(escape);
    await window.press(enter);
    await shows("billing/tax.py");
    await window.keysDown(["\uE00A"], [left]);
    await shows("billing/invoice.py");
  });

  await t.test("find and understand, by mouse", async () => {
    await window.click(testId("nav-search"));
    await window.type(testId("search-input"), "looks a price up");
    await window.click(`${testId("search-hit")}[data-path="web/src/prices.ts"]`);
    await shows("web/src/prices.ts");
    for (const [id, part] of [["impact", "impact-lens"], ["history", "history-lens"], ["why", "why-lens"]]) {
      await window.click(testId(`lens-${id}`));
      await window.see(testId(part));
    }
    await window.click(testId("judge-right"));
    await until("it is judged", () => window.script("return document.querySelector('[data-testid=judge-right]')?.hasAttribute('data-selected') ?? false;"));
    await window.type(testId("search-input"), QUESTION);
    await shows("billing/invoice.py");
    const name = await window.untilTrue("a name to follow", "return [...document.querySelectorAll('.preview [data-name]')].find((one) => one.textContent === 'vat_rate')?.dataset.name;");
    await window.click(`.preview [data-name='${name}']`);
    await shows("billing/tax.py");
    await window.click(testId("preview-back"));
    await shows("billing/invoice.py");
  });

  const tax = join(repo, "billing/tax.py");
  writeFileSync(tax, readFileSync(tax, "utf8").replace("def vat_rate(country):", "def vat_rate(country, day):"));

  await t.test("review my change, by keyboard", async () => {
    await place("2");
    await until("the definition", has("changes-pane", "vat_rate"));
    await tabTo(".changes-list");
    await window.press(enter);
    await isFocused(".changes-part");
    await window.press(escape);
    await isFocused(".changes-list");
    await window.press("t");
    await until("the command", has("changes-tests", "pytest tests/test_tax.py::test_rate"));
    await window.press("m");
    await until("the memo drifts", has("changes-memos", "Rates are frozen"));
    await window.press("m");
    await window.press("c");
    await until("it is copied", () => window.script("return document.body.textContent.includes('Copied the review');"));
    await window.press("g");
    await until("the map", has("map-over", "billing/tax.py"));
    await window.press(escape);
    await until("the map as it is", async () => (await window.find(testId("map-over"))).length === 0);
    await window.press(escape);
    await hash("#/changes");
  });

  await t.test("review my change, by mouse", async () => {
    await window.click(testId("nav-changes"));
    const at = await window.untilTrue("the definition", row("changes-row", "vat_rate"));
    await window.click(`${testId("changes-list")} [role=option]:nth-child(${at})`);
    await until("its head before", has("changes-signature", "vat_rate(country)"));
    for (const [place, part] of [[2, "changes-tests"], [3, "changes-memos"], [1, "changes-diff"]]) {
      await window.click(`.changes-parts-bar label:nth-of-type(${place})`);
      await window.see(testId(part));
    }
    await window.click(testId("changes-map"));
    await until("the map", has("map-over", "billing/tax.py"));
    await window.click(testId("map-clear"));
    await until("the map as it is", async () => (await window.find(testId("map-over"))).length === 0);
  });

  const server = client(env.WHYRANK_HOME, repo);
  await server.begin();
  await server.call("search", { query: QUESTION });
  await server.call("read_symbol", { symbol: "vat_rate" });

  await t.test("see what the agent did, by keyboard", async () => {
    await window.see(testId("rail-badge"));
    await place("3");
    await tabTo("[aria-label=Agents] input[type=radio]");
    await window.press(left);
    await hash("tab=live");
    await until("both calls", async () => (await window.find(testId("live-call"))).length >= 2);
    await tabTo(".live-list");
    await window.press(down);
    await window.press(enter);
    await hash("#/explain");
    await window.press(escape);
    await hash("tab=live");
    await isFocused(".live-list");
    await window.press("s");
    await until("its session", has("session-figures", "call"));
    await window.press("g");
    await until("what it was shown, on the map", has("map-over", "billing/"));
    await window.press(escape);
    await window.press(escape);
    await window.see(testId("session-figures"));
  });

  await t.test("see what the agent did, by mouse", async () => {
    await window.click(testId("nav-search"));
    await server.call("search", { query: "where are articles delivered" });
    await window.see(testId("rail-badge"));
    await window.click(testId("nav-agents"));
    await until("the newest call", async () => (await contentOf(window, "live-list")).includes("where are articles delivered"));
    await window.click(testId("live-call"));
    await hash("#/explain");
    await window.click(testId("nav-agents"));
    await window.see(testId("live-list"));
  });
  server.end();

  await t.test("decide and remember, by keyboard", async () => {
    await place("4");
    await until("what waits", has("memory-inbox", "1 memo drifted"));
    await window.press("/");
    await window.write("rates");
    await until("one memo", async () => (await window.find(testId("memory-row"))).length === 1);
    await window.press(escape);
    await window.press("e");
    await isFocused(testId("memory-content"));
    await window.keysDown([control], ["a"]);
    await window.write("Rates are frozen until May");
    await window.keysDown([control], [enter]);
    await until("the new version", has("memory-pane", "until May"));
    await window.press("u");
    await until("it is undone", has("memory-pane", "until the audit"));
    await window.press("/");
    await window.keysDown([control], ["a"]);
    await window.press("\uE003");
    await until("both memos", async () => (await window.find(testId("memory-row"))).length === 2);
    await window.press(escape);
    await window.press("n");
    await isFocused(testId("memory-content"));
    await window.write("Invoices are rounded once");
    await window.keysDown([control], [enter]);
    await until("the new memo", has("memory-pane", "rounded once"));
  });

  await t.test("decide and remember, by mouse", async () => {
    await window.click(testId("nav-memory"));
    await window.click(testId("memory-inbox-drifted"));
    await until("those that drifted", async () => (await window.find(testId("memory-row"))).length === 1);
    await window.click(testId("memory-row"));
    await window.click(testId("memory-inbox-drifted"));
    await window.click(testId("memory-edit"));
    await window.type(testId("memory-content"), "Rates are frozen until June");
    await window.click(testId("memory-save"));
    await until("the new version", has("memory-pane", "until June"));
    await window.click(testId("memory-undo"));
    await until("it is undone", has("memory-pane", "until the audit"));
  });

  await t.test("measure, by keyboard", async () => {
    await place("5");
    await tabTo(testId("bench-judged-open"));
    await window.press(enter);
    await until("both questions", async () => (await window.find(testId("bench-question"))).length === 2);
    await tabTo(testId("bench-judged-run"));
    await window.press(enter);
    await window.see(testId("bench-start"));
    await tabTo(testId("bench-start"));
    await window.press(enter);
    await isDone(1);
    await until("who wins", has("bench-card", "Whyrank"));
  });

  await t.test("measure, by mouse", async () => {
    await window.click(testId("nav-benchmark"));
    await window.click(testId("bench-judged-open"));
    await window.click(testId("bench-judged-run"));
    await window.click(testId("bench-start"));
    await isDone(2);
    await window.click(testId("bench-tab-tasks"));
    await window.click(testId("bench-tasks-row"));
    await until("what was expected", async () => (await contentOf(window, "bench-expected")).includes("/"));
    await window.click(testId("bench-back"));
    for (const run of [1, 2]) await window.click(`${testId("bench-run")}:nth-child(${run}) input`);
    await window.click(testId("bench-compare"));
    await window.see(testId("bench-comparison"));
    await window.click(testId("bench-back"));
    await window.click(testId("bench-commits-open"));
    await window.see(testId("bench-commits"));
  });

  /** Waits until the question is answered, and no older one. */
  async function isAnswered() {
    await shows("billing/invoice.py");
    await until("the newest answer", async () => (await window.find(".hit-list[data-stale]")).length === 0);
    await until("it is of the whole question", () => window.script("return location.hash.includes('tax');"));
  }

  /** Waits until so many runs are complete. */
  async function isDone(n) {
    await until(`${n} runs are complete`, async () => (await window.find(`${testId("bench-run")}[data-state=complete]`)).length >= n, 90);
  }

  /** Steps from name to name in the code, as far as one of these letters. */
  async function walkTo(name) {
    for (let steps = 0; steps < 30; steps += 1) {
      await window.press(".");
      if (await window.script("return document.querySelector('.cm-name.at')?.textContent === arguments[0];", name)) return;
    }
    assert.fail(`${name} cannot be reached by keyboard`);
  }

  /** Presses Tab until an element has the focus, as a person would. */
  async function tabTo(selector) {
    for (let steps = 0; steps < 60; steps += 1) {
      if (await window.script("return document.activeElement?.matches(arguments[0]) ?? false;", selector)) return;
      await window.press(tab);
    }
    assert.fail(`${selector} cannot be reached by Tab: ${await textOf(window, "bench-new")}`);
  }
});
