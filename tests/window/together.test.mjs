// The real window and eight servers on one index: all of them read, save, update and rebuild at once.
//
// WHYRANK_TEST_LARGE names a folder of your own to do the same with; it is copied, never written to.

import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CALLS, call, connect, isLarge, rank, shared } from "../mcp/servers.mjs";
import { home, skip, whyrankDesktop } from "../support.mjs";
import { installed, photograph, sizes, testId, textOf } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const N_SERVERS = 8;
const SAVE_EVERY_MS = 1500;
/** What nobody may ever read, in an answer, in a log or on the screen. */
const LOCK = /is locked|is busy|is indexing this repository/i;
const PATIENCE_S = isLarge ? 900 : 240;

test("eight servers, the window and a person who saves share one index", async (t) => {
  for (const program of ["Xvfb", "WebKitWebDriver"]) {
    if (!installed(program)) return skip(t, `${program} is not installed`);
  }
  const repo = shared(t, 300);
  const whyrankHome = home(t);
  const display = await startDisplay(t);
  delete process.env.WAYLAND_DISPLAY;
  const logs = [];
  // All of them find no index, and each wants to make it.
  const [window, ...clients] = await Promise.all([
    openWindow(t, {
      binary: whyrankDesktop,
      args: [repo],
      env: { DISPLAY: display, WHYRANK_HOME: whyrankHome },
      onLog: (text) => logs.push(text),
    }),
    ...Array.from({ length: N_SERVERS }, () => connect(t, repo, whyrankHome, (text) => logs.push(text))),
  ]);
  await window.resize(...sizes[0]);

  let isOver = false;
  const failures = [];
  const times = [];
  const servers = clients.map(async (client) => {
    for (let n = 0; !isOver || n < CALLS.length; n += 1) {
      const [name, args] = CALLS[n % CALLS.length];
      const { ms, failed, text } = await call(client, name, args);
      times.push(ms);
      if (failed || LOCK.test(text)) failures.push(`${name}: ${text}`);
    }
  });
  let n_saved = 0;
  const saver = (async () => {
    for (; !isOver; n_saved += 1) {
      appendFileSync(join(repo, "billing/tax.py"), `\n\ndef rate_${n_saved}():\n    return vat_rate("DE")\n`);
      await pause(SAVE_EVERY_MS);
    }
  })();

  const onScreen = async () => {
    const alerts = await window.script("return [...document.querySelectorAll('[role=alert]')].map((one) => one.textContent);");
    failures.push(...alerts.map((text) => `the window: ${text}`));
  };
  for (const act of [ask, update, rebuild, ask, update, ask]) {
    await act(window);
    await onScreen();
  }
  await window.click(testId("nav-repositories"));
  await photograph(window, "together");
  isOver = true;
  await Promise.all([saver, ...servers]);

  const last = `rate_${n_saved - 1}`;
  for (const client of clients) {
    await until(`every server has ${last}`, async () => !(await call(client, "lookup", { symbol: last })).failed, PATIENCE_S);
  }
  await until(`the window has ${last}`, async () => (await answersTo(window, last)).some(({ path }) => path === "billing/tax.py"), PATIENCE_S);
  await onScreen();
  t.diagnostic(`${times.length} calls beside the window and ${n_saved} saves: p50 ${rank(times, 0.5).toFixed(0)} ms, p95 ${rank(times, 0.95).toFixed(0)} ms, ${failures.length} failed`);
  assert.deepEqual(failures, []);
  assert.doesNotMatch(logs.join(""), LOCK);
});

async function ask(window) {
  const paths = (await answersTo(window, "vat_rate")).map(({ path }) => path);
  assert.ok(paths.includes("billing/tax.py"), `${paths}`);
}

/** What the window finds, once it finds something. */
async function answersTo(window, query) {
  const hits = () =>
    window.script("return [...document.querySelectorAll('[data-testid=search-hit]')].map((hit) => ({ path: hit.dataset.path }));");
  await window.click(testId("nav-search"));
  await until(
    `the window answers ${query}`,
    async () => {
      await window.type(testId("search-input"), query + window.keys.enter);
      await pause(500);
      const isFresh = (await window.find(".hit-list[data-stale]")).length === 0;
      return isFresh && (await hits()).length > 0;
    },
    PATIENCE_S,
  );
  return hits();
}

async function update(window) {
  await window.click(testId("nav-repositories"));
  await window.see(testId("repo-index"), PATIENCE_S);
  await window.click(testId("repo-index"));
  await settled(window);
}

async function rebuild(window) {
  await window.click(testId("nav-repositories"));
  await window.see(testId("repo-index"), PATIENCE_S);
  await window.click(testId("repo-health"));
  await until("it can be rebuilt", () => window.script(`${rebuildButton} return button && !button.disabled;`), PATIENCE_S);
  await window.script(`${rebuildButton} button.click();`);
  await settled(window);
  await window.click(testId("repo-health"));
}

const rebuildButton =
  "const button = [...document.querySelectorAll('.health-actions button')].find((one) => one.textContent.includes('Rebuild'));";

/** Waits until no job of the window's is under way, and the row says that the index serves. */
async function settled(window) {
  await pause(300);
  await until(
    "the window's job has ended",
    async () => (await window.find(testId("index-progress"))).length === 0 && (await textOf(window, "repo-row")) !== "",
    PATIENCE_S,
  );
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
