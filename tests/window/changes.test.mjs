// Changes in the real window: an edit appears by risk while one looks, leads to who did not follow, and is handed
// on; by keyboard alone, and what git says beside it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { git, home, repository, shop, skip, whyrank, whyrankDesktop } from "../support.mjs";
import { contentOf, installed, photograph, sizes, testId } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const files = {
  ...shop,
  "tests/test_tax.py": `from billing.tax import vat_rate


def test_rate():
    assert vat_rate("DE") == 0.19
`,
};

test("what changed is reviewed while one edits", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const repo = repository(t, files);
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: home(t) };
  const run = (...args) => execFileSync(whyrank, args, { cwd: repo, env: { ...process.env, ...env }, stdio: "ignore" });
  run("index", repo, "--no-vectors");
  run("memo", "add", "Rates are frozen until the audit", "--anchor", "billing/tax.py#vat_rate");
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [], env });
  await window.resize(...sizes[0]);
  const { control, enter, escape } = window.keys;
  const tax = join(repo, "billing/tax.py");
  const has = (name, part) => async () => (await contentOf(window, name)).includes(part);
  const chosen = () => window.script("return document.querySelector('[data-testid=changes-row][aria-selected=true]')?.textContent ?? '';");

  await window.see(testId("nav-changes"));
  await window.keysDown([control], ["2"]);
  await until("it says against what nothing changed", has("changes-nothing", "Nothing changed since"));
  await photograph(window, "changes-none");

  await t.test("an edit appears by itself, by risk, with its callers and lines", async () => {
    writeFileSync(tax, readFileSync(tax, "utf8").replace("def vat_rate(country):", "def vat_rate(country, day):"));
    await until("the definition is listed and chosen", async () => (await chosen()).includes("vat_rate"), 30);
    await until("its head before", has("changes-signature", "vat_rate(country)"));
    await until("who did not follow", has("changes-pane", "billing/invoice.py"));
    await until("its lines", has("changes-diff", "def vat_rate(country, day):"));
    await until("it is not staged", has("changes-state", "1 file not staged"));
    await photograph(window, "changes");
  });

  await t.test("by keyboard: its tests, its memos, into the lines and back", async () => {
    await window.press("t");
    await until("the command", has("changes-tests", "pytest tests/test_tax.py::test_rate"));
    await photograph(window, "changes-tests");
    await window.press("m");
    await until("the memo drifts", has("changes-memos", "Rates are frozen until the audit"));
    await window.press("m");
    await window.script("document.querySelector('[data-testid=changes-list]').focus();");
    await window.press(enter);
    await until("the lines have the focus", () => window.script("return document.activeElement?.matches('.changes-part') ?? false;"));
    await window.press(escape);
    await until("the list has it again", () => window.script("return document.activeElement?.matches('.changes-list') ?? false;"));
    await window.press("k");
    await until("the file around it", async () => (await chosen()).startsWith("billing/tax.py"));
    await window.press("j");
    await until("the definition", async () => (await chosen()).includes("vat_rate"));
  });

  await t.test("it is copied for an agent", async () => {
    await window.press("c");
    await until("it says so", () => window.script("return document.body.textContent.includes('Copied the review');"));
  });

  await t.test("what is staged, and a commit, are seen without a look at the code", async () => {
    git(repo, "add", "-A");
    await until("it is staged", has("changes-state", "1 file staged"), 20);
    git(repo, "commit", "-q", "-m", "rates by day");
    await until("nothing is left", has("changes-nothing", "Nothing changed since"), 20);
  });

  await t.test("the commit is reviewed, and its definition opened in Code", async () => {
    await window.press("b");
    await window.type(testId("changes-reference"), "HEAD^!");
    await window.press(enter);
    await until("the definition", async () => (await chosen()).includes("vat_rate"), 20);
    await window.press("e");
    await until("its file", () => window.script("return document.querySelector('[data-testid=preview]')?.dataset.path === 'billing/tax.py';"));
    assert.match(await window.script("return location.hash;"), /^#\/search/);
  });
});
