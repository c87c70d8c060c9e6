// The real window, driven as a person would: add, watch, search, see why, change weights.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { home, manyFiles, repository, shop, skip, whyrankDesktop } from "../support.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const testId = (name) => `[data-testid="${name}"]`;
const sizes = [
  [1280, 800],
  [900, 600],
];

test("the main job in the window", async (t) => {
  for (const program of ["Xvfb", "WebKitWebDriver"]) {
    if (!installed(program)) return skip(t, `${program} is not installed`);
  }
  const repo = repository(t, shop);
  const display = await startDisplay(t);
  const env = { DISPLAY: display, WHYRANK_HOME: home(t, { model: true }) };
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [repo], env });
  await window.resize(...sizes[0]);

  await t.test("a repository named on the command line is indexed at once", async () => {
    await window.click(testId("nav-repositories"));
    await window.see(testId("repo-row"));
    await until("the repository is ready", async () => (await textOf(window, "repo-row")).match(/ready|up to date/i), 60);
    assert.match(await textOf(window, "repo-row"), /shop/);
    await photograph(window, "repositories");
  });

  await t.test("a question finds the definition, and the preview shows it", async () => {
    await ask(window, "value added tax of a country");
    const [first] = await hits(window);
    assert.deepEqual(first, { path: "billing/tax.py", line: "4" });
    await until("the preview shows the first hit", async () => {
      const preview = await window.find(testId("preview"));
      return preview.length > 0 && (await preview[0].attribute("data-path")) === "billing/tax.py";
    });
    await until("its text is there", async () => (await textOf(window, "preview")).includes("RATES.get"));
    await photograph(window, "search");
  });

  await t.test("what is shown as contributions sums to the score", async () => {
    await window.click(testId("search-hit"));
    await window.click(testId("hit-explain"));
    await window.see(testId("explain-table"));
    const rows = await window.script(readExplainRows);
    assert.ok(rows.length >= 3, `${rows.length} rows`);
    assert.equal(rows[0].path, "billing/tax.py");
    for (const { path, score, bar, terms } of rows) {
      assert.equal(bar, score, path);
      const sum = terms.reduce((total, value) => total + value, 0);
      assert.ok(Math.abs(sum - score) < 1e-9, `${path}: ${terms} sum to ${sum}, not ${score}`);
    }
    await photograph(window, "explain");
  });

  await t.test("a changed weight changes the score, and the defaults bring it back", async () => {
    await window.click(testId("nav-settings"));
    const slider = await window.see(`${testId("weight-slider-fts")} input, input${testId("weight-slider-fts")}`);
    await photograph(window, "settings");
    const before = await scoreOfFirst(window, "value added tax");
    await window.click(testId("nav-settings"));
    await moveSlider(window, slider);
    const after = await scoreOfFirst(window, "value added tax");
    assert.notEqual(after, before, "the score follows the weight");
  });

  await t.test("a larger repository can be added, held, resumed and cancelled", async () => {
    const large = repository(t, manyFiles(3000), "warehouse");
    await window.click(testId("nav-repositories"));
    await window.click(testId("repo-add"));
    await window.type(testId("add-path"), large);
    await window.click(testId("add-scan"));
    await window.see(testId("scan-report"), 60);
    await window.click(testId("add-confirm"));
    await window.see(testId("index-progress"));
    await window.click(testId("job-pause"));
    await window.see(testId("job-resume"));
    await photograph(window, "indexing");
    await window.click(testId("job-resume"));
    await window.see(testId("job-pause"));
    await window.click(testId("job-cancel"));
    await until("the job is gone", async () => (await window.find(testId("index-progress"))).length === 0, 30);
    await ask(window, "vat_rate");
    assert.ok((await hits(window)).length > 0, "the other repository still answers");
  });
});

async function ask(window, query) {
  await window.click(testId("nav-search"));
  await window.type(testId("search-input"), query);
  await until(`hits for ${query}`, async () => (await hits(window)).length > 0);
  await until("the answer is the newest one", async () => (await window.find(".hit-list[data-stale]")).length === 0);
}

function hits(window) {
  return window.script(
    "return [...document.querySelectorAll('[data-testid=search-hit]')].map((hit) => ({path: hit.dataset.path, line: hit.dataset.line}));",
  );
}

/** Runs in the page: each row's score as figure, as bar, and as terms. */
const readExplainRows = `
  return [...document.querySelectorAll('[data-testid=explain-row]')].map((row) => ({
    path: row.dataset.path,
    score: Number(row.querySelector('[data-testid=explain-score]').dataset.score),
    bar: Number(row.querySelector('[data-testid=contribution-bar]').dataset.score),
    terms: [...row.querySelectorAll('[data-term]')].map((term) => Number(term.dataset.value)),
  }));`;

async function scoreOfFirst(window, query) {
  await ask(window, query);
  await window.click(testId("search-hit"));
  await window.click(testId("hit-explain"));
  await window.see(testId("explain-table"));
  const [first] = await window.script(readExplainRows);
  return first.score;
}

/** Moves a slider with the arrow keys, and waits until the page has taken it. */
async function moveSlider(window) {
  const slider = await window.see(`${testId("weight-slider-fts")} input, input${testId("weight-slider-fts")}`);
  const value = () => window.script("return arguments[0].value;", { "element-6066-11e4-a52e-4f735466cecf": slider.id });
  const before = await value();
  await slider.send("POST", "/value", { text: "\uE012".repeat(5) });
  await until("the slider moved", async () => (await value()) !== before);
}

async function textOf(window, name) {
  const [found] = await window.find(testId(name));
  return found ? found.text() : "";
}

/** The screen as it is, light and dark, at both sizes. */
async function photograph(window, screen) {
  for (const [width, height] of sizes.toReversed()) {
    await window.resize(width, height);
    for (const theme of ["dark", "light"]) {
      await window.script("document.documentElement.dataset.theme = arguments[0];", theme);
      await window.screenshot(`${screen}-${theme}-${width}x${height}`);
    }
  }
}

function installed(program) {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
