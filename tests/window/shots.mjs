// Pictures of every place in the real window, light and dark, at four sizes, into `test-results/places`:
//
//   npm run screenshots -- [PARTS OF NAMES]
//
// It shows a copy of this repository, with memos, an edit that is not committed and calls of an agent.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { folder, home, results, whyrank, whyrankDesktop } from "../support.mjs";
import { client } from "../../scripts/torture/lib.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const root = resolve(import.meta.dirname, "..", "..");
const parts = process.argv.slice(2);
const isWanted = (name) => parts.length === 0 || parts.some((part) => name.includes(part));
const QUESTION = "where are ignored files left out";
const FILE = "crates/source/src/worktree.rs";
/** Width, height, and steps of zoom. */
const SIZES = [
  [1280, 800, 0],
  [900, 600, 0],
  [1920, 1080, 0],
  [1280, 800, 2],
];

/** Name, address, and what is done there before the picture is taken. */
const SCENES = [
  ["repositories", "#/repositories"],
  ["repositories-add", "#/repositories?add=1"],
  ["code-start", "#/search"],
  ["code", search()],
  ["code-graph", search(), lens("g")],
  ["code-impact", search(), lens("i")],
  ["code-memos", search(), lens("M")],
  ["code-history", search(), lens("h")],
  ["code-outline", search(), keys("O"), keys("O")],
  ["code-exact", "#/search?q=is_repository&mode=exact"],
  ["code-shape", `#/search?${new URLSearchParams({ q: "$X.unwrap_or_default()", mode: "shape" })}`],
  ["code-unused", "#/search?q=&mode=unused"],
  // In two parts, lest it be found here.
  ["code-nothing", `#/search?q=${"zzyzx_"}${"nowhere"}&mode=exact`],
  ["explain", search(), keys("e", "e")],
  ["graph", search(), keys("g", "g")],
  ["map", "#/graph"],
  ["map-changes", "#/graph?over=changes"],
  ["map-file", `#/graph?${new URLSearchParams({ over: "file", file: FILE })}`],
  ["changes", "#/changes"],
  ["changes-tests", "#/changes", keys("t")],
  ["agents-live", "#/agents?tab=live"],
  ["agents", "#/agents"],
  ["memory", "#/memory"],
  ["measure", "#/benchmark"],
  ["settings", "#/settings"],
  ["drawer", search(), chord("j"), escape],
  ["palette", search(), chord("k"), escape],
  ["keys", search(), keys("?"), escape],
];

function search() {
  return `#/search?${new URLSearchParams({ q: QUESTION })}`;
}
function keys(...pressed) {
  return async (window) => {
    for (const key of pressed) await window.press(key);
  };
}
/** A lens is shown by its key, and hidden by the same one. */
function lens(key) {
  return keys(key);
}
function chord(key) {
  return (window) => window.keysDown([window.keys.control], [key]);
}
function escape(window) {
  return window.press(window.keys.escape);
}

const endings = [];
const scope = { after: (act) => endings.unshift(act) };
try {
  const env = { DISPLAY: await startDisplay(scope, "2000x1200"), WHYRANK_HOME: home(scope) };
  const empty = await openWindow(scope, { binary: whyrankDesktop, args: [], env: { ...env, WHYRANK_HOME: home(scope) } });
  if (isWanted("welcome")) {
    await empty.see("[data-testid=welcome]");
    await hideNotices(empty);
    await take(empty, "welcome");
  }
  await empty.close();
  await prepare(env);
  const window = await openWindow(scope, { binary: whyrankDesktop, args: [], env });
  await window.see("[data-testid=nav-search]");
  await hideNotices(window);
  for (const [name, address, act, undo] of SCENES.filter(([name]) => isWanted(name))) {
    await window.script("location.hash = arguments[0];", address);
    await settled(window);
    await act?.(window);
    await take(window, name);
    await undo?.(window);
  }
} finally {
  for (const act of endings) await act();
}

/** A copy of this repository that has all there is to be seen. */
async function prepare(env) {
  const copy = join(folder(scope, "shots"), "whyrank");
  execFileSync("git", ["clone", "-q", root, copy]);
  const run = (...args) => execFileSync(whyrank, args, { cwd: copy, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] });
  run("index", copy, "--no-vectors");
  run("memo", "add", "A folder that is a repository of its own is never walked into", "--anchor", `${FILE}#is_repository`);
  run("memo", "add", "Listings are sorted by path: later stages merge them", "--anchor", FILE);
  const server = client(env.WHYRANK_HOME, copy);
  await server.begin();
  await server.call("search", { query: QUESTION });
  await server.call("refs", { symbol: "is_repository" });
  await server.call("read_symbol", { symbol: "walk_builder" });
  server.end();
  if (isWanted("measure")) run("bench", "own", "--repo", copy, "--limit", "8", "--no-vectors", "--title", "eight questions");
  const file = join(copy, FILE);
  writeFileSync(file, readFileSync(file, "utf8").replace("pub(crate) fn is_repository(", "pub(crate) fn is_repository_root("));
}

/** What the window says of its own zoom lies over the picture. */
function hideNotices(window) {
  return window.script("const sheet = new CSSStyleSheet(); sheet.replaceSync('.notices { display: none; }'); document.adoptedStyleSheets = [sheet];");
}

/** What is on its way has come. */
async function settled(window) {
  const isBusy = "return document.querySelector('[aria-busy=true], [data-stale], .skeleton, .spinner') !== null;";
  await new Promise((done) => setTimeout(done, 700));
  await until("the screen rests", async () => !(await window.script(isBusy)), 90);
}

async function take(window, name) {
  const out = join(results, "places");
  mkdirSync(out, { recursive: true });
  for (const [width, height, steps] of SIZES) {
    await window.resize(width, height);
    for (let step = 0; step < steps; step += 1) await chord("+")(window);
    await settled(window);
    for (const theme of ["light", "dark"]) {
      await window.script("document.documentElement.dataset.theme = arguments[0];", theme);
      await new Promise((done) => setTimeout(done, 300));
      const file = `${name}-${theme}-${width}x${height}${steps ? "-large" : ""}.png`;
      writeFileSync(join(out, file), Buffer.from(await window.send("GET", "/screenshot"), "base64"));
    }
    if (steps) await chord("0")(window);
  }
  console.log(name);
}
