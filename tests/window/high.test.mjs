// What a person meets first in the real window: nonsense that fits nothing, a find bar that is typed into,
// code linked by name, and a preview that is read on a narrow screen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { home, repository, shop, skip, whyrankDesktop } from "../support.mjs";
import { contentOf, installed, photograph, sizes, testId, textOf } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const CONTROL = "\uE009";
const ENTER = "\uE007";
const ESCAPE = "\uE00C";

/** Long names deep in folders, and many hits in one file. */
const deep = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [
    `services/gateway/handlers/forwarding/client_address_${n}.py`,
    Array.from({ length: 9 }, (_, i) => `def client_address_from_forwarded_header_${n}_${i}(header):\n    """Reads the client's address from the forwarded header."""\n    return header\n`).join("\n\n"),
  ]),
);

test("what a person meets first", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const repo = repository(t, { ...shop, ...deep });
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: home(t) };
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [repo], env });
  await window.resize(...sizes[0]);
  await window.click(testId("nav-repositories"));
  await until("the repository is ready", async () => (await textOf(window, "repo-row")).match(/ready|up to date/i), 60);
  await window.click(testId("nav-search"));
  const topOfBody = () => window.script("return document.querySelector('.search-body')?.getBoundingClientRect().top;");

  await t.test("a word that is half typed finds what begins so", async () => {
    await window.type(testId("search-input"), "vat_ra");
    await window.see(`${testId("search-hit")}[data-path="billing/tax.py"]`);
    assert.equal((await window.find(testId("poor-fit"))).length, 0);
  });

  await t.test("nonsense fits nothing, has no confidence and moves nothing", async () => {
    const before = await topOfBody();
    for (const nonsense of ["zzzqqqxyz", "最短路径", "кот", "q"]) {
      await window.type(testId("search-input"), nonsense);
      await until(`what is said of ${nonsense}`, async () => {
        const isSaid = /^Nothing fits well/.test(await contentOf(window, "poor-fit"));
        const isEmpty = (await window.find(testId("search-hit"))).length === 0;
        return isSaid || isEmpty;
      });
      const foot = await window.script("return document.querySelector('.search-foot')?.textContent ?? '';");
      assert.doesNotMatch(foot, /confidence/, nonsense);
      const now = await topOfBody();
      if (now !== null) assert.equal(now, before, nonsense);
    }
    await window.type(testId("search-input"), "zzzqqqxyz vat");
    await photograph(window, "search-nonsense");
  });

  await t.test("the find bar is typed into as soon as it is there", async () => {
    await window.resize(...sizes[0]);
    await window.type(testId("search-input"), "vat_rate");
    await window.see(`${testId("preview")}[data-path="billing/tax.py"] .cm-line`);
    await window.script("document.querySelector('[data-testid=preview] .cm-content').focus();");
    await window.keysDown([CONTROL], ["f"]);
    await window.see(testId("find-text"));
    await window.write("country");
    const typed = await window.script("return document.querySelector(arguments[0]).value;", testId("find-text"));
    assert.equal(typed, "country");
    await until("its matches", async () => /match|of/.test(await contentOf(window, "find-count")));
    await photograph(window, "find-bar");
    await window.press(ESCAPE);
  });

  await t.test("code is linked by a part of its name", async () => {
    await window.resize(...sizes[0]);
    await window.click(testId("nav-memory"));
    await window.click(testId("memory-new"));
    await window.type(testId("memory-content"), "Lines of a cart are merged by article");
    await window.type(testId("memory-anchor-input"), "Cart.addL");
    await window.press(ENTER);
    await until("the definition", async () => (await contentOf(window, "memory-anchor-show")) === "Cart.addLine");
    await window.type(testId("memory-anchor-input"), "nothing_like_it");
    await window.press(ENTER);
    await until("what is wrong with it", async () => /nothing_like_it/.test(await contentOf(window, "memory-anchor-said")));
    const n = await window.script("return [...document.querySelectorAll('[role=alert]')].filter((one) => one.textContent.includes('nothing_like_it')).length;");
    assert.equal(n, 1);
    await photograph(window, "memory-link");
    await window.resize(...sizes[0]);
    await window.type(testId("memory-anchor-input"), "billing/tax.py:5-7");
    await window.click(testId("memory-save"));
    await until("both links", async () => {
      const anchors = await window.script("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent).join(' ');", testId("memory-anchor"));
      return anchors.includes("web/src/cart.ts") && anchors.includes("billing/tax.py:5-7");
    });
  });

  await t.test("head and rows are read on a narrow window and at a larger zoom", async () => {
    await window.click(testId("nav-search"));
    await window.type(testId("search-input"), "client address from forwarded header");
    await window.see(`${testId("preview")} .cm-line`);
    const looks = [
      { name: "900 wide", size: sizes[1], isNarrow: true },
      { name: "zoomed", size: sizes[0], zoom: 3, isNarrow: true },
      { name: "1280 wide with the dock", size: sizes[0], isNarrow: true },
      { name: "1280 wide without the dock", size: sizes[0], isClosed: true, isNarrow: false },
    ];
    for (const { name, size, zoom = 0, isClosed = false, isNarrow } of looks) {
      await window.keysDown([CONTROL], ["0"]);
      await window.resize(...size);
      for (let n = 0; n < zoom; n += 1) await window.keysDown([CONTROL], ["+"]);
      if (isClosed) await window.click(testId("dock-close"));
      if (zoom > 0) await until("it is larger", async () => (await window.script("return innerWidth;")) < 1100);
      await until(`${name}: ${isNarrow ? "a menu" : "buttons"}`, async () => {
        return (await window.find(testId("preview-actions"))).length === (isNarrow ? 1 : 0);
      });
      if (isNarrow) assert.equal((await window.find(".facets")).length, 0, name);
      const covered = await window.script(overlaps);
      assert.deepEqual(covered, [], name);
      await window.screenshot(`preview-head-${name.replaceAll(" ", "-")}`);
    }
    await window.resize(...sizes[1]);
    await window.click(testId("preview-actions"));
    await window.see(testId("preview-markdown"));
    await window.screenshot("preview-menu-900x600");
    await window.press(ESCAPE);
  });
});

/** Texts of the head and of the rows that lie over what is beside them, or of which too little is seen. */
const overlaps = `
  const found = [];
  const box = (one) => one.getBoundingClientRect();
  const covers = (a, b) => box(a).right > box(b).left + 1 && box(a).left < box(b).right - 1 && box(a).bottom > box(b).top && box(a).top < box(b).bottom;
  const head = document.querySelector(".preview-head");
  const buttons = [...head.querySelectorAll("button")].filter((one) => !one.closest(".preview-title"));
  for (const text of head.querySelectorAll(".preview-title .path-name, .preview-title .link")) {
    if (buttons.some((button) => covers(text, button))) found.push("head: " + text.textContent);
  }
  const file = head.querySelector(".path-file");
  if (box(file).width < 60) found.push("head: " + file.textContent + " " + box(file).width);
  for (const row of document.querySelectorAll(".hit")) {
    const dots = row.querySelector(".hit-channels");
    const list = document.querySelector(".hit-list");
    if (box(row).bottom > box(list).bottom) continue;
    for (const text of row.querySelectorAll(".hit-title > *")) {
      if (box(text).width > 0 && box(text).right > box(row.querySelector(".hit-title")).right + 1) found.push("row: " + text.textContent);
      if (covers(text, dots)) found.push("dots: " + text.textContent);
    }
    const path = row.querySelector(".path-file");
    if (box(path).width < 24) found.push("row: " + path.textContent + " " + box(path).width);
  }
  return found;`;
