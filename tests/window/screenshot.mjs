// Takes the README's screenshot: `node tests/window/screenshot.mjs REPOSITORY QUERY OUT.png`.
// Uses the index and the model of the person who runs it.

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
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
  await window.click("[data-testid=hit-explain]");
  await window.see("[data-testid=explain-table]");
  await new Promise((done) => setTimeout(done, 1000));
  writeFileSync(out, Buffer.from(await window.send("GET", "/screenshot"), "base64"));
} finally {
  for (const act of endings) await act();
}
