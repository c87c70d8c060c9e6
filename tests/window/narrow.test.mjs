// Where the window is small: lenses that have no room, the line of the box, heads over dots, and a match that stays
// in sight as panes grow and shrink.

import assert from "node:assert/strict";
import { test } from "node:test";
import { home, repository, shop, skip, whyrankDesktop } from "../support.mjs";
import { installed, sizes, testId, textOf } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const WIDE = sizes[0];
const NARROW = sizes[1];

/** A text that stands ever further to the right, on lines far below each other. */
const staircase = Array.from({ length: 24 }, (_, step) =>
  [`def step_${step}(book):`, `    x = "${"·".repeat(step * 5)}" + needle`, ...Array.from({ length: 6 }, (_, n) => `    y${n} = x`)].join("\n"),
).join("\n\n");

test("a small window", async (t) => {
  for (const program of ["Xvfb", "WebKitWebDriver"]) {
    if (!installed(program)) return skip(t, `${program} is not installed`);
  }
  const repo = repository(t, { ...shop, "books/stairs.py": `${staircase}\n` });
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: home(t) };
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [repo], env });
  await window.resize(...WIDE);
  await window.click(testId("nav-repositories"));
  await until("the repository is ready", async () => (await textOf(window, "repo-row")).match(/ready|up to date/i), 60);
  await window.click(testId("nav-search"));
  await window.type(testId("search-input"), "vat_rate");
  await window.see(`${testId("preview")}[data-path="billing/tax.py"] .cm-line`);
  const lens = () => window.script("return document.querySelector('[data-testid=dock]')?.dataset.lens ?? '';");

  await t.test("lenses fold to their names, and are beside the code again where there is room", async () => {
    await until("the dock", async () => (await lens()) === "why");
    await window.resize(...NARROW);
    await window.see(testId("dock-folded"));
    assert.equal(await lens(), "");
    await window.see(`${testId("preview")} .cm-line`);
    await window.click(testId("folded-impact"));
    await until("the lens in place of the code", async () => (await lens()) === "impact");
    await window.resize(...WIDE);
    await window.see(testId("preview"));
    assert.equal(await lens(), "impact", "the lens beside the code");
    await window.click(testId("dock-close"));
    await until("it is closed", async () => (await lens()) === "");
    await window.click(testId("dock-toggle"));
    await until("it is back", async () => (await lens()) === "impact");
  });

  await t.test("nothing in the line of the box lies over another part, and the box is the widest", async () => {
    await window.resize(...NARROW);
    await window.see(testId("search-mode"));
    const { boxes, field } = await window.script(lineOfBox);
    for (const [n, box] of boxes.slice(1).entries()) assert.ok(box.left >= boxes[n].right, JSON.stringify(boxes));
    assert.ok(field > 400, `the box is ${field} px wide`);
    await window.screenshot("narrow-box-900x600");
  });

  await t.test("dots of channels have their heads", async () => {
    const { heads, dots } = await window.script(columns);
    assert.ok(dots.length > 0);
    assert.equal(heads.length, dots.length);
    for (const [n, head] of heads.entries()) assert.ok(Math.abs(head - dots[n]) < 4, `${heads} over ${dots}`);
  });

  await t.test("a line is moved sideways only for a match that is out of sight", async () => {
    await window.resize(...WIDE);
    await window.script("location.hash = '#/search?q=needle&mode=exact';");
    await window.see(`${testId("search-match")}[data-path="books/stairs.py"]`);
    await window.script("document.querySelector('.hit-rows').focus();");
    let nMoved = 0;
    for (let step = 0; step < 24; step += 1) {
      if (step > 0) await window.press(window.keys.down);
      await until(`step ${step} is in sight`, async () => (await window.script(match)).isSeen, 10);
      const { left, end, room } = await window.script(match);
      if (left > 0) nMoved += 1;
      assert.equal(left > 0, end > room - 30 && left > 0, `step ${step}: moved by ${left}, the match ends at ${end} of ${room}`);
      assert.ok(left > 0 || end <= room, `step ${step}`);
    }
    assert.ok(nMoved > 0 && nMoved < 20, `${nMoved} lines moved`);
  });

  await t.test("the match and its row stay in sight as window and panes shrink", async () => {
    for (const [width, height] of [[1280, 560], [1280, 800], NARROW, WIDE]) {
      await window.resize(width, height);
      await window.untilTrue(`the page is ${height} high`, "return Math.abs(innerHeight - arguments[0]) < 80;", height);
      await until(`the row is seen at ${width} by ${height}`, () => window.script(row), 10);
      await until(`the match is seen at ${width} by ${height}`, async () => (await window.script(match)).isSeen, 10);
    }
    await window.script("document.querySelector('[role=separator]').focus();");
    for (let n = 0; n < 6; n += 1) await window.press("\uE014");
    await until("it is seen in a narrow pane", async () => (await window.script(match)).isSeen, 10);
  });
});

const lineOfBox = `
  const line = document.querySelector(".search-line");
  const boxes = [...line.children].map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0).map(({ left, right }) => ({ left, right }));
  return { boxes, field: line.querySelector("input").getBoundingClientRect().width };`;

const columns = `
  const middles = (within) => [...within.children].filter((one) => !one.matches(".visually-hidden")).map((one) => one.getBoundingClientRect()).map(({ left, right }) => (left + right) / 2);
  return { heads: middles(document.querySelector(".hit-heads .hit-channels")), dots: middles(document.querySelector(".hit .hit-channels")) };`;

const match = `
  const word = document.querySelector(".preview .cm-word.main")?.getBoundingClientRect();
  const scroller = document.querySelector(".preview .cm-scroller");
  if (!word || !scroller) return { isSeen: false };
  const pane = scroller.getBoundingClientRect();
  const isSeen = word.left >= pane.left && word.right <= pane.right + 1 && word.top >= pane.top && word.bottom <= pane.bottom + 1;
  return { isSeen, left: scroller.scrollLeft, end: word.right + scroller.scrollLeft - pane.left, room: scroller.clientWidth };`;

const row = `
  const row = document.querySelector("[data-testid=search-match][aria-selected=true]")?.getBoundingClientRect();
  const list = document.querySelector(".hit-list").getBoundingClientRect();
  return !!row && row.top >= list.top - 1 && row.bottom <= list.bottom + 1;`;
