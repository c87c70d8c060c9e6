// The real window, driven as a person would: add, watch, search, see why, change weights.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { folder, home, manyFiles, repository, shop, skip, whyrankDesktop } from "../support.mjs";
import { contentOf, installed, photograph, sizes, testId, textOf } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

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
    assert.match(await contentOf(window, "repo-row"), /shop/);
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

  await t.test("an older commit is searched and read as it was", async () => {
    await ask(window, "vat_rate");
    await window.click(testId("search-as-of"));
    await window.type(testId("search-revision"), `HEAD${window.keys.enter}`);
    await until("the box says so", async () => (await window.script(boxText)).endsWith("at:HEAD"));
    await until("its hits", async () => (await hits(window)).some((hit) => hit.path === "billing/tax.py"));
    await until("its text", async () => (await textOf(window, "preview")).includes("RATES.get"));
    await photograph(window, "search-as-of");
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

  await t.test("the gate says what it decided, and each hit where its words answer", async () => {
    await window.click(testId("explain-tab-gate"));
    const verdict = async () => textOf(window, "gate-verdict");
    await until("the verdict", async () => /^(runs|skipped)/.test(await verdict()));
    const runs = (await verdict()).startsWith("runs");
    await photograph(window, "explain-gate");
    await window.click(testId("explain-tab-movement"));
    await window.see(testId("bump-chart"));
    await photograph(window, "explain-movement");
    await window.click(testId("explain-tab-words"));
    if (runs) await window.see(testId("word-matrix"));
    if (runs) {
      const widths = await window.script("return ['', ' tbody'].map((part) => document.querySelector(arguments[0] + part).getBoundingClientRect().width);", testId("word-matrix"));
      assert.ok(Math.abs(widths[0] - widths[1]) < 4, `cells are ${widths[1]} px wide, the matrix ${widths[0]}`);
    }
    await photograph(window, "explain-words");
  });

  await t.test("the graph shows who uses a symbol, in the drawing and in the list alike", async () => {
    await window.script("location.hash = '#/graph';");
    await until("what is used most", async () => (await textOf(window, "graph-name")) !== "");
    await photograph(window, "graph-start");
    await ask(window, "vat_rate");
    await window.click(testId("search-hit"));
    await window.click(testId("hit-graph"));
    await graphShows(window, ["Invoice.gross", "vat_rate"]);
    const { drawn, listed } = await window.script(readGraph);
    assert.deepEqual(drawn.toSorted(), listed.toSorted(), "the list holds what is drawn");
    assert.ok(drawn.every((label) => label !== ""));
    await until("its place is named", async () => (await contentOf(window, "graph-details")).includes("billing/tax.py:4"));
    await photograph(window, "graph");

    await window.click(testId("graph-open-code"));
    await until("its code is there", async () => (await textOf(window, "graph-code")).includes("RATES.get"));
    await window.click(testId("graph-close-code"));
    await window.click(testId("graph-tab-impact"));
    await until("what may break", async () => (await contentOf(window, "graph-impact")).includes("Invoice.gross"));
    await photograph(window, "graph-impact");
    await window.click(testId("graph-tab-list"));
  });

  await t.test("another symbol of the graph becomes its focus by keyboard, and there is a way back", async () => {
    await window.see(testId("graph-list"));
    await window.script("document.querySelector('[data-testid=graph-list]').focus();");
    await selectRow(window, "Invoice.gross");
    await window.press(window.keys.enter);
    await until("the focus moved", async () => (await graphFocus(window)) === "Invoice.gross");
    await window.click(testId("graph-back"));
    await until("it moved back", async () => (await graphFocus(window)) === "vat_rate");
  });

  await t.test("the graph shows the way from one symbol to another", async () => {
    await pickInGraph(window, "graph-focus", "tota");
    await graphShows(window, ["Cart.total", "priceOf"]);
    await window.click(testId("graph-path"));
    await pickInGraph(window, "graph-to", "priceO");
    await window.see(testId("graph-heading"));
    await until("both ends and the line", async () => {
      const text = await contentOf(window, "graph-list");
      return ["Cart.total", "priceOf", "line 21"].every((part) => text.includes(part));
    });
    await photograph(window, "graph-path");
    await window.click(testId("graph-end-way"));
    // The dialog that asks where to is the system's: only what is offered is looked at.
    await window.click(testId("graph-export"));
    for (const format of ["svg", "dot", "json"]) await window.see(testId(`graph-export-${format}`));
    await window.press(window.keys.escape);
  });

  await t.test("a memo is written beside a hit, edited, found again by search, and brought back", async () => {
    await ask(window, "vat_rate");
    await window.click(testId("search-hit"));
    await window.click(testId("hit-memo"));
    await window.type(testId("memory-content"), "vat_rate is frozen until the audit");
    await photograph(window, "memory-new");
    await window.click(testId("memory-save"));
    await until("it is listed", async () => (await contentOf(window, "memory-row")).includes("frozen until"));
    await until("its code", async () => (await contentOf(window, "memory-anchor")).includes("billing/tax.py:"));
    await window.click(testId("memory-edit"));
    await window.type(testId("memory-content"), "vat_rate is frozen until the audit in May");
    await photograph(window, "memory-edit");
    await window.click(testId("memory-save"));
    await until("the new version", async () => (await contentOf(window, "memory-row")).includes("in May"));
    await photograph(window, "memory");
    await ask(window, "vat_rate");
    await until("the memo beside the hits", async () => (await contentOf(window, "search-memo")).includes("frozen until"));
    await photograph(window, "search-memo");
    await window.click(testId("search-memo"));
    await window.click(testId("memory-forget"));
    await until("it holds no more", async () => (await window.find(testId("memory-row"))).length === 0);
    await window.click(testId("memory-undo"));
    await until("it is back", async () => (await contentOf(window, "memory-row")).includes("in May"));
  });

  await t.test("a changed weight changes the score, and the defaults bring it back", async () => {
    await window.click(testId("nav-settings"));
    await window.see(`${testId("weight-slider-fts")} input, input${testId("weight-slider-fts")}`);
    await photograph(window, "settings");
    const before = await scoreOfFirst(window, "value added tax");
    await window.click(testId("nav-settings"));
    await moveSlider(window);
    await saveRanking(window);
    const after = await scoreOfFirst(window, "value added tax");
    assert.notEqual(after, before, "the score follows the weight");
    await window.click(testId("nav-settings"));
    await window.click(testId("settings-defaults"));
    await saveRanking(window);
    assert.equal(await scoreOfFirst(window, "value added tax"), before, "the defaults are those of before");
  });

  await t.test("a benchmark run shows who finds what, at which cost", async () => {
    await window.click(testId("nav-benchmark"));
    await window.see(testId("bench-new"));
    assert.equal((await window.find(testId("bench-run"))).length, 0, "no run at first");
    await photograph(window, "benchmark-empty");
    await prepareRun(window, { title: "first look", tasks: taskFile(t, shopTasks), checkouts: dirname(repo) });
    await photograph(window, "benchmark-new");
    await window.click(testId("bench-start"));
    await runIs(window, "first look", "complete");
    await until("a verdict", async () => (await textOf(window, "bench-card")).includes("Whyrank"));
    const [of, best] = await window.script("return [...document.querySelectorAll(arguments[0])].slice(0, 2).map((one) => [one.parentElement.textContent, one.textContent]);", `${testId("bench-card")} ${testId("bench-figure")}`);
    const subject = ["random", "bm25", "smart-grep-fair", "smart-grep", "naive-grep"].find((one) => best[0].toLowerCase().replaceAll(/[ -]/g, "").includes(one.replaceAll("-", "")));
    assert.deepEqual([of[1], best[1]], meansOfBoth(env.WHYRANK_HOME, ["whyrank", subject]), `means over the tasks that both answered: ${of[0]}, ${best[0]}`);
    await window.see(testId("bench-scatter"));
    await photograph(window, "benchmark-overview");

    await window.click(testId("bench-tab-tables"));
    const figures = await textOf(window, "bench-figures");
    for (const word of ["Definition", "File dependencies", "Dead code", "1.000"]) assert.ok(figures.includes(word), `${word}: ${figures}`);
    await photograph(window, "benchmark-tables");

    await window.click(testId("bench-tab-tasks"));
    await window.see(testId("bench-tasks-row"));
    assert.equal((await window.find(testId("bench-tasks-row"))).length, shopTasks.length);
    await photograph(window, "benchmark-tasks");
    await window.type(testId("bench-filter"), "vat_rate");
    await until("one task is left", async () => (await window.find(testId("bench-tasks-row"))).length === 1);
    await window.click(testId("bench-tasks-row"));
    await until("what is right", async () => (await contentOf(window, "bench-expected")).includes("billing/invoice.py"));
    assert.match(await contentOf(window, "bench-found"), /billing\/invoice\.py/);
    assert.match(await textOf(window, "bench-text"), /vat_rate/);
    await photograph(window, "benchmark-task");
    await window.click(`${testId("bench-switch")}[data-subject=smart-grep-fair]`);
    await until("the other's answer", async () => (await textOf(window, "bench-text")).includes("return round(net"));
    await window.click(testId("bench-back"));
    // The dialog that asks where to is the system's: only what is offered is looked at.
    await window.click(testId("bench-export"));
    for (const format of ["html", "md", "json", "csv"]) await window.see(testId(`bench-export-${format}`));
    await window.press(window.keys.escape);
  });

  await t.test("two benchmark runs are compared with each other", async () => {
    const changed = shopTasks.map((task) => (task.id === "price" ? { ...task, expected: [{ file: "docs/delivery.md", line: 1 }] } : task));
    await prepareRun(window, { title: "second look", tasks: taskFile(t, changed), checkouts: dirname(repo) });
    await window.click(testId("bench-start"));
    await runIs(window, "second look", "complete");
    for (const title of ["first look", "second look"]) await window.click(`input[aria-label="Compare ${title}"]`);
    await window.click(testId("bench-compare"));
    await window.see(testId("bench-comparison"));
    await until("both answered the same", async () => (await textOf(window, "bench-unmatched")).includes("the same tasks"));
    await photograph(window, "benchmark-compare");
    const changes = await window.script("return document.querySelector('[data-testid=bench-changed]').textContent;");
    assert.match(changes, /priceOf/, "the task that changed is named");
    await window.click(testId("bench-back"));
  });

  await t.test("a benchmark run can be watched and cancelled", async () => {
    const many = Array.from({ length: 5000 }, (_, n) => ({ ...shopTasks[0], id: `price-${n}` }));
    await prepareRun(window, { title: "long look", tasks: taskFile(t, many), checkouts: dirname(repo) });
    await window.click(testId("bench-start"));
    await window.see(testId("bench-progress"));
    await until("answers are counted", async () => Number((await textOf(window, "bench-done")).replace(/\D/g, "")) > 10);
    await photograph(window, "benchmark-progress");
    await window.click(testId("bench-cancel"));
    await runIs(window, "long look", "cancelled");
    await until("nothing is under way", async () => (await window.find(testId("bench-progress"))).length === 0);
    assert.match(await textOf(window, "bench-partial"), /of 10,000/);
    await photograph(window, "benchmark-partial");
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
    // Figures beside the button change its place: as a person would, press again when nothing happens.
    let pressed = Date.now();
    await until("the job is gone", async () => {
      if ((await window.find(testId("index-progress"))).length === 0) return true;
      if (Date.now() - pressed > 5000 && (await window.find(testId("job-cancel"))).length > 0) {
        await window.click(testId("job-cancel"));
        pressed = Date.now();
      }
      return false;
    }, 60);
    await ask(window, "vat_rate");
    assert.ok((await hits(window)).length > 0, "the other repository still answers");
  });
});

/** Tasks about the shop, in the format of primitives. */
const shopTasks = [
  { id: "price", category: "P1", query: { symbol: "priceOf" }, expected: [{ file: "web/src/prices.ts", line: 4 }] },
  {
    id: "vat",
    category: "P2",
    query: { symbol: "vat_rate", file: "billing/tax.py", line: 4 },
    expected: [{ file: "billing/invoice.py", line: 15 }],
    optional: [{ file: "billing/invoice.py", line: 1 }],
  },
  {
    id: "imports",
    category: "P4",
    query: { file: "web/src/cart.ts", direction: "imports" },
    expected: [{ file: "web/src/prices.ts" }],
  },
  { id: "dead", category: "P5", query: { symbol: "Invoice", file: "billing/invoice.py", line: 4 }, expected: { dead: true } },
].map((task) => ({ repo: "shop", lang: task.id === "price" || task.id === "imports" ? "typescript" : "python", ...task }));

function taskFile(t, tasks) {
  const path = join(folder(t, "tasks"), "shop tasks.jsonl");
  writeFileSync(path, tasks.map((task) => JSON.stringify(task)).join("\n"));
  return path;
}

/** Fills in the dialog of a new run: Whyrank and the fair grep, without vectors. */
async function prepareRun(window, { title, tasks, checkouts }) {
  await window.click(testId("bench-new"));
  await window.see(`${testId("bench-suite")}[data-suite=own]`);
  await window.type(testId("bench-path"), tasks + window.keys.enter);
  // The path's own line moves what is below it.
  await window.see(".bench-path");
  await window.click(`details:has(${testId("bench-folder")}) summary`);
  await window.see(`details[open] ${testId("bench-folder")}`);
  await window.type(testId("bench-folder"), checkouts + window.keys.enter);
  await window.see(`${testId("bench-subject")}:checked`);
  const wanted = ["whyrank", "smart-grep-fair"];
  for (const subject of ["whyrank", "naive-grep", "smart-grep", "smart-grep-fair", "bm25", "random"]) {
    const chosen = (await window.find(`${testId("bench-subject")}[data-subject=${subject}]:checked`)).length > 0;
    if (chosen !== wanted.includes(subject)) await window.click(`${testId("bench-subject")}[data-subject=${subject}]`);
  }
  await window.type(testId("bench-title"), title);
  await window.type(testId("bench-limit"), "0");
  await window.click(testId("bench-no-vectors"));
}

async function runIs(window, title, state) {
  const rows = "return [...document.querySelectorAll('[data-testid=bench-run]')].map((row) => [row.dataset.state, row.textContent]);";
  await until(`${title} is ${state}`, async () => {
    const found = (await window.script(rows)).find(([, text]) => text.includes(title));
    return found?.[0] === state;
  }, 30);
}

async function ask(window, query) {
  await window.click(testId("nav-search"));
  await window.type(testId("search-input"), query);
  await until(`hits for ${query}`, async () => (await hits(window)).length > 0);
  await until("the answer is the newest one", async () => (await window.find(".hit-list[data-stale]")).length === 0);
}

const boxText = "return document.querySelector('[data-testid=search-input]').value;";

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

/** Runs in the page: the labels that are drawn, and those of the list. */
const readGraph = `
  const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent.trim());
  return {
    drawn: texts('[data-testid=graph-node] text'),
    listed: texts('[data-testid=graph-row] .graph-row-name'),
  };`;

/** Waits until all of these are drawn and nothing of an earlier question is. */
async function graphShows(window, labels) {
  await until(`${labels} are drawn`, async () => {
    const { drawn } = await window.script(readGraph);
    return labels.every((label) => drawn.includes(label)) && (await window.find(".graph-stage[data-stale]")).length === 0;
  });
}

/** Types a part of a name and takes the first completion, as people do. */
async function pickInGraph(window, box, part) {
  await window.type(testId(box), part);
  await window.press(window.keys.enter);
}

function graphFocus(window) {
  return window.script("return document.querySelector('[data-testid=graph-focus]').value;");
}

/** Walks down the list until a row is the current one. */
async function selectRow(window, name) {
  const current = () =>
    window.script(`
      const row = document.getElementById(document.querySelector('[data-testid=graph-list]').getAttribute('aria-activedescendant'));
      return [row?.id, row?.querySelector('.graph-row-name')?.textContent];`);
  for (let steps = 0; steps < 30; steps += 1) {
    const [row, label] = await current();
    if (label === name) return;
    await window.press(window.keys.down);
    await until("another row is current", async () => (await current())[0] !== row, 10);
  }
  assert.fail(`${name} cannot be reached by keyboard`);
}

async function scoreOfFirst(window, query) {
  await ask(window, query);
  await window.click(testId("search-hit"));
  await window.click(testId("hit-explain"));
  await window.see(testId("explain-table"));
  const [first] = await window.script(readExplainRows);
  return first.score;
}

/** Saves the weights, and waits until they are. */
async function saveRanking(window) {
  await window.click(`${testId("settings-save")}:not([disabled])`);
  await window.see(`${testId("settings-save")}[disabled]`);
}

/** Moves a slider with the arrow keys, and waits until the page has taken it. */
async function moveSlider(window) {
  const slider = await window.see(`${testId("weight-slider-fts")} input, input${testId("weight-slider-fts")}`);
  const value = () => window.script("return arguments[0].value;", { "element-6066-11e4-a52e-4f735466cecf": slider.id });
  const before = await value();
  await slider.send("POST", "/value", { text: "\uE012".repeat(5) });
  await until("the slider moved", async () => (await value()) !== before);
}

/** What two subjects reached on the tasks that both answered, as the window writes it. */
function meansOfBoth(whyrankHome, subjects) {
  const results = join(whyrankHome, "data/benchmark/results");
  const rows = readFileSync(join(results, readdirSync(results).sort().at(-1), "raw.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const answered = (subject) => new Map(rows.filter((row) => row.subject === subject && !row.unsupported).map((row) => [row.task, row.scores[row.headline] ?? 0]));
  const both = subjects.map(answered);
  const tasks = [...both[0].keys()].filter((task) => both[1].has(task));
  return both.map((scores) => (tasks.reduce((sum, task) => sum + scores.get(task), 0) / tasks.length).toFixed(3));
}
