// A `whyrank://` link, given to the real window as a desktop gives it: as an argument.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { home, repository, shop, skip, whyrank, whyrankDesktop } from "../support.mjs";
import { installed, testId, textOf } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

test("a link opens the screen of a registered repository, and registers nothing", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  delete process.env.WAYLAND_DISPLAY;
  const display = await startDisplay(t);
  const env = { DISPLAY: display, WHYRANK_HOME: home(t) };
  const repo = repository(t, shop);
  execFileSync(whyrank, ["index", repo, "--no-vectors"], { env: { ...process.env, ...env } });
  const hash = (window) => window.script("return location.hash;");

  await t.test("of its name here, though its id is another's", async (t) => {
    const link = "whyrank://search/?q=vat_rate(&mode=exact&new=1&repo=elsewhere&name=shop";
    const window = await openWindow(t, { binary: whyrankDesktop, args: [link], env });
    await until("the search", async () => (await hash(window)) === "#/search?q=vat_rate%28&mode=exact");
    await until("its lines", async () => (await window.find(testId("search-match"))).length > 0);
    assert.match(await textOf(window, "search-count"), /in 2 files/);
  });

  await t.test("of none, it says so and stays where it is", async (t) => {
    const link = "whyrank://search?q=vat_rate&repo=zz&name=not-here";
    const window = await openWindow(t, { binary: whyrankDesktop, args: [link], env });
    await until("it says so", async () => (await textOf(window, "notice")).includes("The repository not-here is not registered here"));
    assert.ok(!(await hash(window)).includes("vat_rate"));
    const known = JSON.parse(execFileSync(whyrank, ["repos", "--json"], { env: { ...process.env, ...env } }));
    assert.equal((known.repos ?? known).length, 1);
  });
});
