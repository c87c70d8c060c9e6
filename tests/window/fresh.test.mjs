// The window answers of the files as they are: a file is edited, and each screen is asked at once. Nothing
// follows saves meanwhile, so that only the look before an answer can know.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { home, manyFiles, repository, shop, skip, whyrank, whyrankDesktop } from "../support.mjs";
import { contentOf, installed, photograph, sizes, testId, textOf } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

/** So long that its hit lies far below its beginning. */
const ledgerText = [
  ...Array.from({ length: 200 }, (_, n) => `def entry_${n}(book):\n    return book[${n}]\n\n`),
  'def settle_ledger(book):\n    """Settles the ledger of the last quarter."""\n    return sum(book)\n\n\n',
  ...Array.from({ length: 100 }, (_, n) => `def exit_${n}(book):\n    return book[-${n}]\n\n`),
].join("");

/** Sooner than any look by time. */
const AT_ONCE_S = 15;
const ALT = "\uE00A";

test("an edit is in the next answer, wherever it is asked for", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const repo = repository(t, { ...shop, "books/ledger.py": ledgerText });
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: home(t) };
  const run = (...args) => execFileSync(whyrank, args, { cwd: repo, env: { ...process.env, ...env }, stdio: "ignore" });
  run("index", repo, "--no-vectors");
  run("memo", "add", "Rates are frozen until the audit", "--anchor", "billing/tax.py#vat_rate");
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [], env });
  await window.resize(...sizes[0]);
  const { control, enter, escape } = window.keys;
  const tax = join(repo, "billing/tax.py");
  const text = (name) => `\n\ndef ${name}(country):\n    """Says whether a country collects it."""\n    return vat_rate(country)\n`;
  const edit = (name) => appendFileSync(tax, text(name));
  /** A file of its own: small functions of one file are one hit. */
  const create = (name) => writeFileSync(join(repo, `billing/${name}.py`), `from billing.tax import vat_rate\n${text(name)}`);
  const soon = (what, holds) => until(what, holds, AT_ONCE_S);
  const has = (name, part) => async () => (await contentOf(window, name)).includes(part);

  await window.click(testId("nav-repositories"));
  await until("it is watched unless somebody switches that off", () => window.script(isWatched), 60);
  await window.click(".repo-row .switch");
  await until("it is not watched", async () => !(await window.script(isWatched)));
  await until("the foot says how the index stands", async () => /up to date · checked (just now|\d+ s ago)/.test(await contentOf(window, "index-freshness")));

  await t.test("Enter, with what was typed before the edit", async () => {
    await window.click(testId("nav-search"));
    await window.type(testId("search-input"), "flamingo_entered");
    await window.see(`${testId("search-hit")}, .state`);
    create("flamingo_entered");
    await window.press(enter);
    await soon("the first hit", () => window.script(firstHit("flamingo_entered")));
  });

  await t.test("typing: rows come at once, and those of now take their place", async () => {
    create("flamingo_typed");
    await window.type(testId("search-input"), "flamingo_typed");
    await soon("the first hit", () => window.script(firstHit("flamingo_typed")));
  });

  for (const [key, mode, asked] of [["e", "exact", "def flamingo_exact("], ["r", "regex", "def flamingo_reg\\w+\\("]]) {
    await t.test(`${mode}, by Enter and typed`, async () => {
      await window.type(testId("search-input"), asked);
      await window.keysDown([ALT], [key]);
      await until("nothing yet", () => window.script(isAskedAs(mode)));
      edit(`flamingo_${mode}`);
      await window.press(enter);
      await soon("its line", () => window.script(firstMatch(`flamingo_${mode}`)));
      edit(`flamingo_${mode}_typed`);
      await window.type(testId("search-input"), `def flamingo_${mode}_typed`);
      await soon("its line", () => window.script(firstMatch(`flamingo_${mode}_typed`)));
      await window.keysDown([ALT], [key]);
    });
  }

  await t.test("Graph: a new caller, and a new symbol", async () => {
    await window.script("location.hash = '#/graph';");
    await window.type(testId("graph-focus"), "vat_rate");
    await window.press(enter);
    await until("its callers", has("graph-list", "Invoice.gross"));
    await window.click(testId("nav-settings"));
    edit("flamingo_caller");
    await window.script("history.back();");
    await soon("the new caller", has("graph-list", "flamingo_caller"));
    edit("flamingo_symbol");
    await window.type(testId("graph-focus"), "flamingo_symbol");
    await window.press(enter);
    await soon("its place", has("graph-details", "billing/tax.py"));
    await soon("is the focus", async () => (await window.script("return document.querySelector('[data-testid=graph-focus]').value;")) === "flamingo_symbol");
  });

  await t.test("Memory: code that drifted, and a link to a new symbol", async () => {
    await window.click(testId("nav-memory"));
    await until("the memo", has("memory-row", "Rates are frozen"));
    assert.doesNotMatch(await contentOf(window, "memory-row"), /drifted/);
    await window.click(testId("nav-settings"));
    writeFileSync(tax, readFileSync(tax, "utf8").replace("rate = RATES.get(country, 0)", "rate = RATES.get(country, 1)"));
    await window.click(testId("nav-memory"));
    await soon("it drifted", has("memory-row", "drifted"));
    edit("flamingo_linked");
    await window.click(testId("memory-new"));
    await window.type(testId("memory-content"), "Flamingos are taxed as birds");
    await window.type(testId("memory-anchor-input"), "flamingo_linked");
    await window.press(enter);
    await soon("the new symbol is linked", has("memory-anchor-show", "flamingo_linked"));
    await window.click(testId("memory-save"));
    await until("it is listed", async () => (await contentOf(window, "memory-list")).includes("taxed as birds"));
  });

  await t.test("Explain: the answer of now", async () => {
    await window.click(testId("nav-search"));
    await window.type(testId("search-input"), "rate of a country with a discount");
    await window.see(testId("search-hit"));
    await until("the answer is the newest", async () => (await window.find(".hit-list[data-stale]")).length === 0);
    create("rate_of_a_country_with_a_discount");
    await window.click(testId("search-hit"));
    await window.click(testId("hit-explain"));
    await soon("its row", has("explain-table", "rate_of_a_country_with_a_discount"));
  });

  await t.test("Preview: who reads keeps the file, the line and the focus when another answer comes", async () => {
    await window.click(testId("nav-search"));
    await window.type(testId("search-input"), "flamingo_read vat_rate");
    await until("the answer is the newest", async () => (await window.find(".hit-list[data-stale]")).length === 0);
    const path = await window.untilTrue("its first file is read", read);
    create("flamingo_read");
    await window.script("window.dispatchEvent(new Event('focus'));");
    await soon("the new file is a hit", async () => (await window.find(`${testId("search-hit")}[data-path="billing/flamingo_read.py"]`)).length > 0);
    const now = await window.script("return [document.activeElement.isTheOne, document.querySelector('.preview').dataset.path];");
    assert.deepEqual(now, [true, path]);
  });

  await t.test("the palette: a symbol that was just written, by its name and Enter", async () => {
    edit("flamingo_palette");
    await window.keysDown([control], ["k"]);
    await window.see(".palette-input");
    await window.type(".palette-input", "flamingo_palette");
    await soon("it is offered", has("palette-item", "flamingo_palette"));
    await window.press(escape);
    edit("flamingo_quick");
    await window.keysDown([control], ["k"]);
    await window.see(".palette-input");
    await window.type(".palette-input", `flamingo_quick${enter}`);
    await soon("its code", has("graph-code", "flamingo_quick"));
  });

  await t.test("watched again: what is in sight follows the files, and nobody asks", async () => {
    await window.click(testId("nav-repositories"));
    await window.click(".repo-row .switch");
    await until("it is watched", () => window.script(isWatched));
    await window.click(testId("nav-search"));
    await window.type(testId("search-input"), "flamingo_watched");
    await until("the answer is the newest", async () => (await window.find(".hit-list[data-stale]")).length === 0);
    create("flamingo_watched");
    await soon("the first hit", () => window.script(firstHit("flamingo_watched")));
    await until("the foot says so", has("index-freshness", "up to date"));
  });

  await t.test("a file that is read far below its beginning is saved again and again, and never out of sight", async () => {
    const ledger = join(repo, "books/ledger.py");
    await window.type(testId("search-input"), "settle the ledger of the last quarter");
    const place = () => window.script("return document.querySelector('.preview .cm-scroller')?.scrollTop ?? 0;");
    await until("the preview is at the hit", async () => (await place()) > 1000);
    await window.script(`
      window.gone = [];
      const look = () => document.querySelector('.preview .cm-scroller') || window.gone.push(document.querySelector('main').innerText);
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });`);
    const before = await place();
    // So often that most of what the index holds is of texts that are gone, and is swept away.
    for (let n = 0; n < 30; n += 1) {
      appendFileSync(ledger, `# saved ${n}\n`);
      await new Promise((done) => setTimeout(done, 150));
    }
    await until("the foot says so", has("index-freshness", "up to date"));
    assert.deepEqual(await window.script("return window.gone;"), []);
    assert.equal(await place(), before);
  });
});

test("what takes longer is named above the answer", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const files = manyFiles(3000);
  const repo = repository(t, files, "warehouse");
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: home(t) };
  execFileSync(whyrank, ["index", repo, "--no-vectors"], { env: { ...process.env, ...env }, stdio: "ignore" });
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [], env });
  await window.resize(...sizes[0]);
  await window.click(testId("nav-search"));
  await window.type(testId("search-input"), "parcel by voucher");
  await window.see(testId("search-hit"));
  for (const [path, text] of Object.entries(files)) appendFileSync(join(repo, path), `\n\ndef flamingo_${text.length}(items):\n    return items\n`);
  await window.press(window.keys.enter);
  await window.see(testId("behind"));
  assert.match(await textOf(window, "behind"), /changed since the index/);
  await photograph(window, "search-behind");
  await window.resize(1920, 1080);
  for (const theme of ["dark", "light"]) {
    await window.script("document.documentElement.dataset.theme = arguments[0];", theme);
    await window.screenshot(`search-behind-${theme}-1920x1080`);
  }
  await window.resize(...sizes[0]);
  await until("it is brought up to date", async () => (await window.find(testId("behind"))).length === 0, 120);
  await until("the foot says so", async () => (await contentOf(window, "index-freshness")).includes("up to date"), 120);
});

const isWatched = "return document.querySelector('.repo-row .switch')?.hasAttribute('data-selected') === true;";

/** Goes into the text of the first hit's file; its path, once that is there. */
const read = `
  const preview = document.querySelector('.preview');
  const code = preview?.querySelector('.cm-content');
  if (!code || preview.dataset.path !== document.querySelector('[data-testid=search-hit]').dataset.path) return null;
  code.focus();
  code.isTheOne = true;
  return preview.dataset.path;`;

const isAskedAs = (mode) =>
  `return document.querySelector('[data-testid=search-input]').dataset.mode === '${mode}' && document.querySelector('[data-testid=search-match]') === null;`;

const firstHit = (name) =>
  `return document.querySelector('[data-testid=search-hit]')?.dataset.path === 'billing/${name}.py';`;

const firstMatch = (name) =>
  `return [...document.querySelectorAll('[data-testid=search-match]')].some((one) => one.textContent.includes('${name}'));`;
