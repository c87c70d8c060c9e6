// Memory in the real window: ten thousand memos, smooth; lines pinned with the mouse and the keyboard.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { folder, home, repository, shop, skip, whyrankDesktop, whyrankLab } from "../support.mjs";
import { contentOf, installed, photograph, sizes, testId, textOf } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

let shared;

test("ten thousand memos in the window", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver", "git"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const made = manyMemos();
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: join(made, "home") };
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [join(made, "repo")], env });
  await window.resize(...sizes[0]);
  await window.send("POST", "/timeouts", { script: 120_000 });
  await window.click(testId("nav-repositories"));
  await until("the repository is ready", async () => (await textOf(window, "repo-row")).match(/ready|up to date/i), 120);
  await window.click(testId("nav-memory"));
  await window.see(testId("memory-row"), 120);
  await photograph(window, "memory-10000");

  await t.test("every memo is reached, to the last", async () => {
    const n = Number((await contentOf(window, "memory-count")).replace(/\D/g, ""));
    assert.ok(n > 7_000, `${n} memos are listed`);
    await window.script("document.querySelector(arguments[0]).focus();", testId("memory-list"));
    await window.press("\uE010");
    await until("the last row", () => window.script("return document.querySelector('[role=option][aria-selected=true]')?.getAttribute('aria-posinset') === String(arguments[0]);", n));
    await window.press("\uE011");
    await until("the first row", () => window.script("return document.querySelector('[role=option][aria-selected=true]')?.getAttribute('aria-posinset') === '1';"));
  });

  await t.test("another commit is answered while one looks", async () => {
    const times = [];
    for (const share of [0.1, 0.8, 0.3, 0.95, 0.5]) {
      times.push(await secondsToCommit(window, share));
    }
    t.diagnostic(`as of a commit, from the click to the rows: ${times.map((ms) => `${ms.toFixed(0)} ms`).join(", ")}`);
    await photograph(window, "memory-as-of");
    await window.click(testId("memory-now"));
    await until("now", async () => (await window.find(testId("memory-banner"))).length === 0);
  });

  await t.test("a word narrows the list", async () => {
    await window.type(testId("memory-text"), "Ticket 4711");
    await until("one is left", async () => /^[1-9] memos?$/.test(await contentOf(window, "memory-count")));
  });
});

test("ten thousand memos scroll", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver", "git"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const made = manyMemos();
  // As the window draws on this machine when nobody photographs it.
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: join(made, "home"), WEBKIT_DISABLE_DMABUF_RENDERER: undefined };
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [join(made, "repo")], env });
  await window.resize(...sizes[0]);
  await window.send("POST", "/timeouts", { script: 120_000 });
  await window.click(testId("nav-memory"));
  await window.see(testId("memory-row"), 120);
  await window.see(testId("memory-lane"), 120);

  // Figures, not limits: how many frames there are depends on the machine.
  await t.test("list and timeline scroll to their ends and back", async () => {
    const idle = await framesOf(window, testId("memory-list"), 0);
    t.diagnostic(`nothing moves: ${describe(idle)}`);
    for (const [name, selector, step] of [
      ["list", testId("memory-list"), 180],
      ["list, whole pages", testId("memory-list"), 9_000],
      ["timeline", ".timeline-lanes", 48],
      ["timeline, whole pages", ".timeline-lanes", 2_400],
    ]) {
      const frames = await framesOf(window, selector, step);
      t.diagnostic(`${name}: ${describe(frames)}`);
      assert.equal(frames.length, idle.length, `${name}: ${describe(frames)}`);
    }
  });
});

test("lines are pinned with the mouse and with the keyboard", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const repo = repository(t, shop);
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: home(t) };
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [repo], env });
  await window.resize(...sizes[0]);
  await window.click(testId("nav-repositories"));
  await until("the repository is ready", async () => (await textOf(window, "repo-row")).match(/ready|up to date/i), 60);
  await window.click(testId("nav-memory"));
  await window.see(testId("memory-new"));
  await photograph(window, "memory-empty");
  await window.click(testId("nav-search"));
  await window.type(testId("search-input"), "vat_rate");
  await window.see(`${testId("preview")} .cm-line`);

  await t.test("lines that the mouse selects in the preview begin a memo", async () => {
    await dragOver(window, `${testId("preview")} .cm-line`, 3, 6);
    await window.see(testId("code-selection"));
    await photograph(window, "search-selection");
    await dragOver(window, `${testId("preview")} .cm-line`, 3, 6);
    await window.click(testId("code-pin"));
    await window.type(testId("memory-content"), "Rates are frozen until the audit");
    const anchor = await contentOf(window, "memory-anchor-show");
    assert.match(anchor, /^billing\/tax\.py:\d+-\d+$/);
    await window.click(testId("memory-save"));
    await until("it is listed with its code", async () => (await contentOf(window, "memory-anchor")).includes(anchor));
  });

  await t.test("the keyboard selects lines as well", async () => {
    await window.click(testId("nav-search"));
    await window.see(`${testId("preview")} .cm-content`);
    await window.script("document.querySelector('[data-testid=preview] .cm-content').focus();");
    await window.keysDown(["\uE008"], ["\uE015", "\uE015"]);
    await window.see(testId("code-selection"));
    await window.press("m");
    await window.see(testId("memory-content"));
    assert.match(await contentOf(window, "memory-anchor-show"), /^billing\/tax\.py:\d+-\d+$/);
    await window.press(window.keys.escape);
    await until("the editor is gone", async () => (await window.find(testId("memory-content"))).length === 0);
  });

  await t.test("lines are selected in the editor", async () => {
    await window.click(testId("memory-new"));
    await window.type(testId("memory-content"), "Carts are counted in cents");
    await window.type(testId("memory-anchor-input"), "web/src/cart.ts");
    await window.click(testId("memory-anchor-pick"));
    await window.see(`${testId("memory-pick")} .cm-line`);
    await dragOver(window, `${testId("memory-pick")} .cm-line`, 1, 3);
    await window.click(`${testId("memory-pick")} ${testId("code-pin")}`);
    await until("the lines", async () => /^web\/src\/cart\.ts:\d+-\d+$/.test(await contentOf(window, "memory-anchor-show")));
    await photograph(window, "memory-pick");
    await window.click(testId("memory-save"));
    await until("it is listed", async () => (await contentOf(window, "memory-row")).includes("counted in cents"));
  });

  await t.test("what is too long is refused, and nothing that was written is lost", async () => {
    await window.click(testId("memory-new"));
    await window.see(testId("memory-content"));
    await window.script(
      "const box = document.querySelector(arguments[0]); Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(box, 'x'.repeat(1 << 20)); box.dispatchEvent(new Event('input', { bubbles: true }));",
      testId("memory-content"),
    );
    await window.click(testId("memory-save"));
    await until("the limit is said", async () => (await window.script("return document.querySelector('[role=dialog]').textContent.includes('65536');")));
    const written = () => window.script("return document.querySelector(arguments[0]).value.length;", testId("memory-content"));
    assert.equal(await written(), 1 << 20);
    await window.press(window.keys.escape);
    await window.see(testId("memory-leaving"));
    await window.press(window.keys.enter);
    await until("it is kept unless told", async () => (await window.find(testId("memory-leaving"))).length === 0);
    assert.equal(await written(), 1 << 20);
    await window.press(window.keys.escape);
    await window.click(testId("memory-discard"));
    // A field of a million characters takes its time to go.
    await until("the dialog is gone", async () => (await window.find("[role=dialog]")).length === 0);
  });

  await t.test("a commit that nobody knows is said", async () => {
    await window.type(testId("memory-as-of"), `no-such-branch${window.keys.enter}`);
    await until("it is named", async () => (await window.script("return document.querySelector('.memory-body').textContent;")).includes("no-such-branch"));
    await photograph(window, "memory-unknown-commit");
    await window.click(testId("memory-now"));
    await until("the memos are back", async () => (await window.find(testId("memory-row"))).length > 0);
    await photograph(window, "memory-few");
  });
});

/** A repository with ten thousand memos over five thousand commits, and its home. */
function manyMemos() {
  const made = process.env.WHYRANK_TEST_MEMORY ?? join((shared ??= folder({ after }, "memory")), "made");
  // A folder that was made before is used again.
  if (!existsSync(join(made, "home"))) {
    execFileSync(whyrankLab, ["memory", made, "--looks", "1"], { stdio: "ignore" });
  }
  return made;
}

/** Scrolls by a step each frame; milliseconds from frame to frame, ascending. */
async function framesOf(window, selector, step) {
  const frames = await window.send("POST", "/execute/async", {
    script: `
      const [selector, step, done] = arguments;
      const box = document.querySelector(selector);
      const times = [];
      let [last, left, way] = [0, 100, 1];
      const frame = (now) => {
        if (last > 0) times.push(now - last);
        last = now;
        if (left-- === 0) return done(times);
        const end = box.scrollHeight - box.clientHeight;
        if (box.scrollTop + way * step > end || box.scrollTop + way * step < 0) way = -way;
        box.scrollTop += way * step;
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);`,
    args: [selector, step],
  });
  return frames.toSorted((a, b) => a - b);
}

function describe(frames) {
  const at = (share) => frames[Math.min(frames.length - 1, Math.floor(frames.length * share))].toFixed(1);
  return `${frames.length} frames, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms`;
}

/** Clicks on the axis of commits; milliseconds until the rows as of that commit are there. */
async function secondsToCommit(window, share) {
  return window.send("POST", "/execute/async", {
    script: `
      const [share, done] = arguments;
      const ruler = document.querySelector('[data-testid=memory-commits]');
      const box = ruler.getBoundingClientRect();
      const list = () => document.querySelector('[data-testid=memory-list]');
      const started = performance.now();
      ruler.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.left + box.width * share, clientY: box.top + 2 }));
      const banner = () => document.querySelector('[data-testid=memory-banner]')?.textContent ?? '';
      const before = banner();
      const look = () => {
        // The banner changes at once, and with it the rows are marked as old until theirs are there.
        const isThere = list() && list().dataset.stale === undefined && banner() !== before;
        if (isThere || performance.now() - started > 20000) return done(performance.now() - started);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);`,
    args: [share],
  });
}

/** Selects from the beginning of one line to the end of another, with the mouse. */
async function dragOver(window, selector, from, to) {
  const at = (line, end) =>
    window.script(
      `const line = document.querySelectorAll(arguments[0])[arguments[1]];
       const box = line.getBoundingClientRect();
       const range = document.createRange();
       range.selectNodeContents(line);
       const text = range.getBoundingClientRect();
       return { x: Math.round(arguments[2] ? Math.min(text.right, box.right - 4) : box.left + 8), y: Math.round(box.top + box.height / 2) };`,
      selector,
      line,
      end,
    );
  const [start, end] = [await at(from, false), await at(to, true)];
  const move = (place, duration = 0) => ({ type: "pointerMove", origin: "viewport", duration, ...place });
  const actions = [move(start), { type: "pointerDown", button: 0 }, move(end, 200), { type: "pointerUp", button: 0 }];
  await window.send("POST", "/actions", {
    actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }],
  });
}
