// Memory in the real window by keyboard alone; and what other programs record while one looks.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { git, home, repository, shop, skip, whyrank, whyrankDesktop } from "../support.mjs";
import { contentOf, installed, photograph, pick, sizes, testId, textOf } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const selected = "[role=option][aria-selected=true]";

test("memory by keyboard, and beside other programs", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver", "git"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const repo = repository(t, shop);
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: home(t) };
  delete process.env.WAYLAND_DISPLAY;
  const memo = (...args) => {
    const options = { cwd: repo, env: { ...process.env, ...env }, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    return execFileSync(whyrank, ["memo", ...args], options);
  };
  memo("add", "Carts are counted in cents", "--kind", "decision", "--anchor", "web/src/cart.ts#Cart.total");
  memo("add", "Rates are frozen until the audit", "--kind", "decision", "--anchor", "billing/tax.py#vat_rate");
  git(repo, "commit", "-q", "--allow-empty", "-m", "second");
  memo("add", "Mails are sent again three times", "--kind", "procedure");
  const window = await openWindow(t, { binary: whyrankDesktop, args: [repo], env });
  await window.resize(...sizes[0]);
  await window.click(testId("nav-repositories"));
  await until("the repository is ready", async () => (await textOf(window, "repo-row")).match(/ready|up to date/i), 60);

  const { control, enter, escape, down, left, tab } = window.keys;
  const gone = (name) => until(`${name} is gone`, async () => (await window.find(testId(name))).length === 0);
  const isFocused = (name) =>
    until(`${name} has the focus`, () => window.script("const one = document.activeElement; return one?.dataset.testid === arguments[0] && one.matches(':focus-visible, [data-focus-visible]');", name));

  await t.test("the whole journey without a mouse", async () => {
    await window.keysDown([control], ["4"]);
    await window.see(testId("memory-row"));
    await window.press("?");
    await until("the keys are shown", async () => (await window.script("return document.querySelector('[role=dialog]')?.textContent ?? '';")).includes("As of another commit"));
    await window.press(escape);
    await until("the sheet is gone", async () => (await window.find("[role=dialog]")).length === 0);

    await window.press("/");
    await isFocused("memory-text");
    await window.write("are");
    await until("all hold the word", async () => (await contentOf(window, "memory-count")) === "3 memos");
    await window.press(escape);
    const title = () => window.script("return document.querySelector(arguments[0])?.textContent ?? '';", selected);
    await until("the newest is chosen", async () => (await title()).includes("Mails"));
    await window.press("j");
    await until("the next one", async () => (await title()).includes("Rates"));

    await tabTo(window, "memory-list", tab);
    await window.press(down);
    await until("the one after it", async () => (await title()).includes("Carts"));
    await window.press(enter);
    await isFocused("memory-pane-body");
    await photograph(window, "memory-keys");
    await window.press(escape);
    await isFocused("memory-list");

    await window.press("e");
    await isFocused("memory-content");
    await window.keysDown([control], ["a"]);
    await window.write("Carts are counted in cents, and rounded last");
    await window.keysDown([control], [enter]);
    await gone("memory-content");
    await until("the new version", async () => (await title()).includes("rounded last"));

    await window.press("h");
    await until("both versions", async () => (await window.find(testId("memory-version"))).length === 2);
    await until("the words that came", async () => (await contentOf(window, "memory-version")).includes("rounded last"));
    await photograph(window, "memory-history");
    await window.press("h");
    await gone("memory-version");

    await window.press("a");
    await isFocused("memory-as-of");
    await window.write(`HEAD~1${enter}`);
    await until("what held then", async () => (await contentOf(window, "memory-banner")).includes("HEAD~1"));
    await until("the later one does not", async () => (await contentOf(window, "memory-count")) === "2 memos");
    await photograph(window, "memory-as-of-keys");
    await tabTo(window, "memory-now", tab);
    await window.press(enter);
    await gone("memory-banner");

    await window.press("u");
    await until("it is undone", async () => (await contentOf(window, "memory-done")).includes("Undone"));
    await until("the text of before", async () => /cents(?!, and)/.test(await title()));

    await window.press("n");
    await isFocused("memory-content");
    await window.press(escape);
    await gone("memory-content");
  });

  await t.test("a memo takes another's place, and what was known before is a step back in time", async () => {
    await window.type(testId("memory-text"), "sent again");
    await until("it is chosen", async () => (await contentOf(window, "memory-pane")).includes("three times"));
    await window.click(testId("memory-supersede"));
    await window.type(testId("memory-content"), "Mails are sent again five times");
    await photograph(window, "memory-supersede");
    await window.click(testId("memory-save"));
    await until("the new one replaces it", async () => (await contentOf(window, "memory-row")).includes("five times"));
    assert.equal(await contentOf(window, "memory-count"), "1 memo");

    await window.script("document.querySelector(arguments[0]).focus();", testId("memory-recorded"));
    await until("what was known then", async () => {
      await window.press(left);
      const row = await contentOf(window, "memory-row");
      return row.includes("three times") && !row.includes("five times");
    });
    await until("it is said", async () => (await contentOf(window, "memory-banner")).includes("known"));
    await photograph(window, "memory-known-at");
    await window.click(testId("memory-now"));
    await gone("memory-banner");
    await until("the new one again", async () => (await contentOf(window, "memory-row")).includes("five times"));
  });

  await t.test("what another program records is there at once, on every screen", async () => {
    memo("add", "vat_rate answers from a table", "--anchor", "billing/tax.py#vat_rate");
    await window.type(testId("memory-text"), "table");
    await until("it is listed", async () => (await contentOf(window, "memory-row")).includes("from a table"));
    await window.click(testId("nav-search"));
    await window.type(testId("search-input"), "vat_rate");
    await until("it stands above the hits", async () => (await contentOf(window, "search-memo")).includes("from a table"));
    const id = memo("list", "table", "--ids").trim();
    memo("edit", id, "--text", "vat_rate answers from a file");
    await until("its new text as well", async () => (await contentOf(window, "search-memo")).includes("from a file"));
    memo("forget", id);
    await until("it goes when it is forgotten", async () => !(await contentOf(window, "search-memos")).includes("from a file"));
  });

  await t.test("drift and conflicts are shown, and settled", async () => {
    writeFileSync(join(repo, "billing/tax.py"), `import decimal\n\n\n${shop["billing/tax.py"].replace("rate < 0", "rate <= 0")}`);
    memo("add", "Always log refunds", "--kind", "preference");
    memo("add", "Never log refunds", "--kind", "preference");
    await window.click(testId("nav-memory"));
    await window.type(testId("memory-text"), "frozen");
    await until("it is chosen", async () => (await contentOf(window, "memory-pane")).includes("frozen until the audit"));
    await until("its difference", async () => (await contentOf(window, "memory-anchor")).includes("rate <= 0"), 60);
    await photograph(window, "memory-drift");
    await window.click(testId("memory-reanchor"));
    await until("it follows", async () => (await contentOf(window, "memory-done")).includes("where the code is now"));
    await until("the lines of now", async () => (await contentOf(window, "memory-anchor")).includes("billing/tax.py:7"));

    await pick(window, "memory-state", "conflicts");
    await until("the text narrows conflicts too", async () =>
      (await window.script("return document.body.innerText;")).includes("No conflict matches"),
    );
    await window.type(testId("memory-text"), "refunds");
    await until("both sides", async () => /Never log[^]*Always log|Always log[^]*Never log/.test(await contentOf(window, "memory-conflict")));
    await photograph(window, "memory-conflicts");
    await window.click(testId("memory-agree"));
    await until("nothing is left", async () => (await window.find(testId("memory-conflict"))).length === 0);
    assert.match(memo("conflicts"), /no conflicts/);
  });
});

/** Goes on with the Tab key until something has the focus. */
async function tabTo(window, name, tab) {
  const focused = () => window.script("return document.activeElement?.dataset.testid ?? '';");
  for (let steps = 0; steps < 40 && (await focused()) !== name; steps += 1) await window.press(tab);
  assert.equal(await focused(), name, `${name} cannot be reached with Tab`);
}
