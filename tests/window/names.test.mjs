// Names in the code of the real window, by keyboard and by mouse: to what they mean, to its uses, and back.

import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { home, repository, shop, skip, whyrank, whyrankDesktop } from "../support.mjs";
import { contentOf, installed, photograph, sizes, testId } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const [alt, shift, f12] = ["\uE00A", "\uE008", "\uE03C"];

test("a name in the code leads to what it means, and back to where one was", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const repo = repository(t, shop);
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: home(t) };
  execFileSync(whyrank, ["index", repo, "--no-vectors"], { cwd: repo, env: { ...process.env, ...env }, stdio: "ignore" });
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [], env });
  await window.resize(...sizes[0]);
  const { enter, escape, left } = window.keys;
  const shows = (path) =>
    until(`the preview shows ${path}`, () =>
      window.script("return document.querySelector('[data-testid=preview]')?.dataset.path === arguments[0];", path));
  const hasNames = () =>
    until("its names are links", () => window.script("return !!document.querySelector('.preview [data-name]');"));
  const walkTo = async (name) => {
    for (let walked = 0; walked < 30; walked++) {
      await window.press(".");
      if (await window.script("return document.querySelector('.cm-name.at')?.textContent === arguments[0];", name)) return;
    }
    throw new Error(`no key leads to ${name}`);
  };

  // Not by the rail: its tooltip would take the Escape that is meant for the panel.
  await window.click(testId("search-input"));
  await window.type(testId("search-input"), "gross amount of an invoice with value added tax");
  await shows("billing/invoice.py");
  await window.press(enter);
  await until("the list has the focus", () => window.script("return document.activeElement?.matches('.hit-rows') ?? false;"));
  await window.press(enter);
  await hasNames();

  await t.test("by keyboard: look, go, and come back", async () => {
    await walkTo("vat_rate");
    await window.press(" ");
    await until("its lines are there", async () => (await contentOf(window, "peek-code")).includes("Value added tax of a country"));
    await photograph(window, "names-peek");
    await window.press(escape);
    await until("the panel is gone", async () => (await window.find(testId("peek"))).length === 0);
    await window.press(enter);
    await shows("billing/tax.py");
    await window.keysDown([alt], [left]);
    await shows("billing/invoice.py");
  });

  await t.test("by keyboard: its uses", async () => {
    await hasNames();
    await window.script("document.querySelector('.preview .cm-content').focus();");
    await walkTo("vat_rate");
    await window.keysDown([shift], [f12]);
    await until("its uses are there", async () => (await contentOf(window, "peek-uses-list")).includes("billing/invoice.py"));
    await photograph(window, "names-uses");
    await window.press(escape);
  });

  await t.test("by mouse", async () => {
    const number = await window.script("return [...document.querySelectorAll('.preview [data-name]')].find((one) => one.textContent === 'vat_rate')?.dataset.name;");
    await window.click(`.preview [data-name='${number}']`);
    await shows("billing/tax.py");
    await window.click(testId("preview-back"));
    await shows("billing/invoice.py");
  });
});
