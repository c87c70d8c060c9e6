// Takes the README's pictures, light and dark: `node tests/window/screenshot.mjs REPOSITORY QUERY FOLDER`.
// Uses the index and the model of the person who runs it.

import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { whyrankDesktop } from "../support.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const [repository, query, out] = process.argv.slice(2);
const endings = [];
const scope = { after: (act) => endings.unshift(act) };
try {
  const env = { DISPLAY: await startDisplay(scope) };
  const window = await openWindow(scope, { binary: whyrankDesktop, args: [resolve(repository)], env });
  await window.resize(1280, 800);
  await window.click("[data-testid=nav-repositories]");
  await until("the repository is ready", async () => (await window.find("[data-testid=index-progress]")).length === 0, 600);
  await window.click("[data-testid=nav-search]");
  await window.type("[data-testid=search-input]", query);
  await (await window.see("[data-testid=search-hit]")).click();
  await until("the answer is the newest", async () => (await window.find(".hit-list[data-stale]")).length === 0);
  await window.see("[data-testid=dock][data-lens=why]");
  await take(window, "screenshot");
  await window.script("location.hash = '#/graph';");
  await window.see("[data-testid=graph-map]");
  await take(window, "map");
} finally {
  for (const act of endings) await act();
}

async function take(window, name) {
  for (const theme of ["light", "dark"]) {
    await window.script("document.documentElement.dataset.theme = arguments[0];", theme);
    await new Promise((done) => setTimeout(done, 1500));
    const file = join(out, theme === "light" ? `${name}.png` : `${name}-dark.png`);
    writeFileSync(file, Buffer.from(await window.send("GET", "/screenshot"), "base64"));
  }
}
