// Screenshots of every screen with mock data, in both themes at three sizes, and an axe run over each.
//
// What was recorded of the engine is shown where `RECORDED` names the screen, and else the stand-in.
//
// `npm run screenshots -- [DIR] [FILTER] [THEME] [WIDTH]` builds the window with its mock data and
// serves it; with UI_URL it is taken from a running `npm run dev` instead.

import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build, preview } from "vite";

const [out = "test-results/screens", filter = "", theme = "", width = ""] = process.argv.slice(2);
const SIZES = [
  [1280, 800],
  [900, 600],
  [1920, 1080],
].filter(([wide]) => !width || wide === Number(width));
const THEMES = ["light", "dark"].filter((one) => one.startsWith(theme));
/** Screens that are shown with what the engine said; those of models and endpoints are not yet. */
const RECORDED = /^(search|graph|memory)/;
const SCENES = [
  ["repositories", "", "#/repositories"],
  ["repositories-health", "", "#/repositories/a1b2c3d4e5f6"],
  [
    "repositories-precise",
    "",
    "#/repositories/a1b2c3d4e5f6",
    (page) => page.getByTestId("precise-open").click(),
  ],
  ["repositories-indexing", "indexing", "#/repositories"],
  ["repositories-empty", "empty", "#/repositories"],
  ["welcome", "first", "#/repositories"],
  ["repositories-failing", "failing", "#/repositories"],
  ["search-damaged", "failing", "#/search?q=trie+router"],
  ["repositories-add", "", "#/repositories?add=1", addRepository],
  ["search", "", "#/search?q=trie+router+match"],
  ["search-lens-why", "", "#/search?q=trie+router+match", showLens("Why", "e")],
  ["search-lens-graph", "", "#/search?q=trie+router+match", showLens("Graph", "g")],
  ["search-lens-memos", "", "#/search?q=trie+router+match", showLens("Memos", "M")],
  ["search-lens-history", "", "#/search?q=trie+router+match", showLens("History", "h")],
  ["search-no-dock", "", "#/search?q=trie+router+match", closeDock],
  ["search-find", "", "#/search?q=trie+router+match", findInPreview],
  ["search-peek", "", "#/search?q=trie+router+match", peek("Space")],
  ["search-uses", "", "#/search?q=trie+router+match", peek("Shift+F12")],
  ["search-guess", "", "#/search?q=trie+router+match", peek("Enter", "children")],
  ["search-opened", "", "#/search?q=trie+router+match&at=src%2Fhono-base.ts%3A12-30"],
  ["search-typing", "", "#/search", type],
  ["search-start", "", "#/search", saveSearches],
  ["search-as-of", "", "#/search?q=trie+router+at%3Av2.0.0"],
  ["search-blame", "", "#/search?q=trie+router+match", (page) => page.keyboard.press("b")],
  ["search-exact", "", "#/search?q=params%5B&mode=exact"],
  ["search-regex", "", "#/search?q=match%5C(%5Cw%2B&mode=regex"],
  ["search-pattern", "", "#/search?q=route(&mode=regex"],
  [
    "search-revisions",
    "",
    "#/search?q=trie+router",
    (page) => page.getByTestId("search-as-of").click(),
  ],
  ["search-none", "", "#/search?q=zzz+lang%3Arust"],
  ["explain", "", "#/explain/q-demo"],
  ["explain-weights", "", "#/explain/q-demo", tryWeights],
  ["explain-compare", "", "#/explain/q-demo", compare],
  ["explain-run", "", "#/explain/q-demo", openRun],
  [
    "explain-movement",
    "",
    "#/explain/q-demo",
    (page) => page.getByTestId("explain-tab-movement").click(),
  ],
  ["explain-gate", "", "#/explain/q-demo", tryGate],
  ["explain-words", "", "#/explain/q-demo", stepWords],
  ["explain-words-list", "", "#/explain/q-demo", listWords],
  ["explain-missing", "", "#/explain/q-gone"],
  ["graph", "", "#/graph?symbol=Router.match"],
  ["graph-far", "", "#/graph?symbol=Router.match&radius=3"],
  ["graph-wide", "", "#/graph?symbol=mergePath"],
  ["graph-fit", "", "#/graph?symbol=Router.match&radius=2", fitGraph],
  ["graph-hover", "", "#/graph?symbol=Router.match", hoverNode],
  ["graph-code", "", "#/graph?symbol=Router.match", (page) => page.keyboard.press("v")],
  ["graph-impact", "", "#/graph?symbol=Router.match", openImpact],
  ["graph-path", "", "#/graph?symbol=Router.match&to_symbol=Node.search"],
  ["graph-typing", "", "#/graph", typeFocus],
  ["graph-start", "", "#/graph"],
  ["graph-map", "", "#/graph", walkMap],
  ["graph-unknown", "", "#/graph?symbol=Routr"],
  ["graph-empty", "first", "#/graph"],
  ["graph-failing", "failing", "#/graph?symbol=Router.match"],
  ["changes", "", "#/changes"],
  ["changes-tests", "", "#/changes", (page) => page.keyboard.press("t")],
  ["changes-memos", "", "#/changes", (page) => page.keyboard.press("m")],
  ["changes-compare", "", "#/changes", (page) => page.keyboard.press("b")],
  ["changes-none", "full&changes=none", "#/changes"],
  ["changes-ahead", "full&changes=ahead", "#/changes"],
  ["changes-merge", "full&changes=merge", "#/changes"],
  ["changes-many", "full&changes=many", "#/changes", (page) => page.keyboard.press("j")],
  ["changes-no-commit", "full&changes=no-commit", "#/changes"],
  ["changes-no-git", "full&changes=no-git", "#/changes"],
  ["changes-failing", "failing", "#/changes"],
  ["memory", "", "#/memory"],
  ["memory-drift", "", "#/memory", chooseState("drifted")],
  ["memory-conflicts", "", "#/memory", chooseState("conflicts")],
  ["memory-history", "", "#/memory", openHistory],
  ["memory-edit", "", "#/memory", editMemo],
  ["memory-as-of", "", "#/memory", askAsOf],
  [
    "memory-choices",
    "",
    "#/memory",
    (page) => page.locator("[data-testid=memory-state] button").click(),
  ],
  ["memory-calendar", "", "#/memory", openCalendar],
  ["memory-empty", "first", "#/memory"],
  ["agents", "", "#/agents"],
  ["agents-calls", "", "#/agents?tab=calls"],
  ["agents-sessions", "", "#/agents?tab=sessions"],
  ["agents-empty", "empty", "#/agents"],
  ["agents-session", "", "#/agents?tab=sessions&session=b-2"],
  [
    "agents-grep",
    "",
    "#/agents?tab=sessions&session=b-2",
    (page) => page.getByTestId("session-measure").click(),
  ],
  ["benchmark", "", "#/benchmark"],
  ["benchmark-below", "", "#/benchmark", scrollPanel],
  ["benchmark-running", "benching", "#/benchmark"],
  ["benchmark-empty", "empty", "#/benchmark"],
  ["benchmark-failing", "failing", "#/benchmark"],
  ["benchmark-loading", "slow", "#/benchmark"],
  ["benchmark-cancelled", "", "#/benchmark/20261120-170455"],
  ["benchmark-new", "", "#/benchmark?new=1", chooseSuites],
  ["benchmark-tables", "", "#/benchmark?tab=tables"],
  ["benchmark-tables-below", "", "#/benchmark?tab=tables", scrollPanel],
  ["benchmark-tasks", "", "#/benchmark?tab=tasks"],
  ["benchmark-task", "", "#/benchmark?tab=tasks", openTask],
  ["benchmark-defects", "", "#/benchmark?tab=defects"],
  ["benchmark-details", "", "#/benchmark?tab=details"],
  ["benchmark-export", "", "#/benchmark", exportHtml],
  ["benchmark-compare", "", "#/benchmark/20261119-081500?against=20261121-093012,20261120-170455"],
  ["settings", "", "#/search?q=trie+router", openSettings],
  ["settings-desktop", "", "#/settings", scrollSettings],
  ["palette", "", "#/search?q=trie+router+match", openPalette],
  ["keys", "", "#/explain/q-demo", (page) => page.keyboard.press("?")],
  ["loading", "slow", "#/repositories"],
];

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { url: BASE, close } = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
await mkdir(out, { recursive: true });
let violations = 0;
for (const colorScheme of THEMES) {
  for (const [width, height] of SIZES) {
    for (const scene of SCENES.filter(([name]) => name.includes(filter))) {
      violations += await shoot(scene, { colorScheme, width, height });
    }
  }
}
await browser.close();
await close();
process.stdout.write(
  `${violations} axe violations of moderate weight and more; images in ${out}\n`,
);
process.exit(violations > 0 ? 1 : 0);

async function shoot([name, mock, hash, act], { colorScheme, width, height }) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height } });
  const page = await context.newPage();
  page.on("pageerror", (error) => process.stdout.write(`${name}: ${error.message}\n`));
  page.on("console", (message) => {
    if (message.type() === "error") process.stdout.write(`${name}: ${message.text()}\n`);
  });
  const source = RECORDED.test(name) ? "recorded" : "mock";
  await page.goto(`${BASE}/?${source}=${mock || "full"}${hash}`);
  await page.waitForSelector("main section, main .state");
  await page.waitForTimeout(350);
  await act?.(page);
  await page.waitForTimeout(250);
  if (mock !== "slow") await settled(page);
  const file = `${out}/${name}-${colorScheme}-${width}.png`;
  await page.screenshot({ path: file });
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run());
  const serious = found.violations.filter((one) => /moderate|serious|critical/.test(one.impact));
  for (const one of serious) {
    const where = one.nodes
      .slice(0, 3)
      .map((node) => `${node.html.slice(0, 110)} ${node.any[0]?.message ?? ""}`);
    process.stdout.write(`${name} ${colorScheme} ${width}: ${one.id}\n  ${where.join("\n  ")}\n`);
  }
  await context.close();
  return serious.length;
}

/** What is still coming would be photographed half drawn, on a busy machine. */
async function settled(page) {
  const isComing = () => document.querySelector(".spinner, .skeleton, [data-stale]") !== null;
  await page.waitForFunction(`!(${isComing})()`, undefined, { timeout: 10_000 }).catch(() => {
    process.stdout.write(`${page.url()}: still loading\n`);
  });
}

async function tryWeights(page) {
  await page.getByTestId("try-weights").click();
  await page.getByTestId("try-symbol-name").fill("0.3");
  await page.getByTestId("try-vector").fill("2");
}

/** A build is served faster than a development server serves its many modules. */
async function serve() {
  if (process.env.UI_URL) return { url: process.env.UI_URL, close: async () => {} };
  // The mock data is part of development builds alone.
  process.env.NODE_ENV = "development";
  const outDir = await mkdtemp(join(tmpdir(), "whyrank-screens-"));
  const configFile = fileURLToPath(new URL("../vite.config.ts", import.meta.url));
  const common = { configFile, mode: "development", logLevel: "warn" };
  await build({ ...common, build: { outDir, emptyOutDir: true } });
  const server = await preview({ ...common, build: { outDir }, preview: { port: 0 } });
  const { port } = server.httpServer.address();
  return {
    url: `http://localhost:${port}`,
    close: async () => {
      await server.close();
      await rm(outDir, { recursive: true });
    },
  };
}

function chooseState(state) {
  return (page) =>
    page.locator("[data-testid=memory-state] select").selectOption(state, { force: true });
}

async function openHistory(page) {
  await page.getByLabel(/^History/).check({ force: true });
}

async function editMemo(page) {
  await page.getByTestId("memory-edit").click();
  await page.getByTestId("memory-content").fill("Routers are chosen by hand, once, at the start.");
}

async function askAsOf(page) {
  await page.getByTestId("memory-commits").focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByTestId("memory-recorded").focus();
  await page.keyboard.press("ArrowLeft");
}

async function addRepository(page) {
  await page.getByTestId("add-path").fill("/home/me/code/axum");
  await page.getByTestId("add-scan").click();
}

async function saveSearches(page) {
  for (const text of ["trie router lang:rust", "where are path parameters decoded"]) {
    await page.getByTestId("search-input").fill(text);
    await page.getByTestId("search-save").click();
  }
  await page.getByTestId("search-input").fill("");
}

async function walkMap(page) {
  await page.getByTestId("graph-map").focus();
  for (const key of ["ArrowRight", "ArrowRight", "+"]) await page.keyboard.press(key);
}

/** Opens a lens by its key, unless the dock has it already. */
function showLens(label, key) {
  return async (page) => {
    await page.getByTestId("search-hit").first().click();
    const tab = page.locator(`.dock [role=tab][aria-selected=true]:has-text("${label}")`);
    if (!(await tab.count())) await page.keyboard.press(key);
    await tab.waitFor();
    await page.waitForTimeout(600);
  };
}

async function closeDock(page) {
  await page.getByTestId("search-hit").first().click();
  if (await page.getByTestId("dock").count()) await page.keyboard.press("d");
}

/** Walks to a name in the code, and does with it what a key does. */
function peek(key, name = "Router") {
  return async (page) => {
    await page.locator(".preview [data-name]").first().waitFor();
    await page.locator(".preview .cm-content").focus();
    for (let walked = 0; walked < 20; walked++) {
      await page.keyboard.press(".");
      if ((await page.locator(".cm-name.at").textContent()) === name) break;
    }
    await page.keyboard.press(key);
    await page.getByTestId("peek").waitFor();
    await page.waitForTimeout(300);
  };
}

async function findInPreview(page) {
  await page.locator(".preview .cm-content").focus();
  await page.keyboard.press("Control+f");
  await page.getByTestId("find-text").fill("match");
  await page.keyboard.press("Enter");
}

async function openCalendar(page) {
  await page.getByTestId("memory-recorded").focus();
  await page.keyboard.press("ArrowLeft");
  await page.locator("[data-testid=memory-known-at] [aria-label^=Calendar]").click();
}

async function type(page) {
  await page.getByTestId("search-input").pressSequentially("Router lang:typescript -tests");
}

async function compare(page) {
  await page
    .locator("[data-testid=compare-with] select")
    .selectOption({ index: 4 }, { force: true });
}

async function openRun(page) {
  await page.getByRole("tab", { name: /Weights/ }).click();
}

async function openSettings(page) {
  await page.getByTestId("nav-settings").click();
  await page.getByTestId("weight-slider-path").fill("0.2");
}

async function scrollSettings(page) {
  await page.locator(".settings").evaluate((box) => box.scrollTo(0, box.scrollHeight));
}

async function openPalette(page) {
  await page.keyboard.press("Control+k");
  await page.keyboard.type("ro");
  await page.getByTestId("palette-item").first().waitFor();
}

async function fitGraph(page) {
  await page.getByTestId("graph-fit").click();
}

async function hoverNode(page) {
  await page.getByTestId("graph-node").nth(3).hover();
}

async function openImpact(page) {
  await page.getByTestId("graph-tab-impact").click();
  await page.getByTestId("graph-impact-row").nth(2).click();
}

async function typeFocus(page) {
  await page.getByTestId("graph-focus").pressSequentially("rou");
  await page.waitForTimeout(200);
}

async function scrollPanel(page) {
  await page.locator(".bench-tab-panel").evaluate((panel) => panel.scrollBy(0, 10_000));
}

async function chooseSuites(page) {
  await page.getByTestId("bench-suite").first().check();
}

async function openTask(page) {
  await page.getByTestId("bench-tasks-row").nth(4).click();
}

async function exportHtml(page) {
  await page.getByTestId("bench-export").click();
  await page.getByTestId("bench-export-html").click();
}

async function tryGate(page) {
  await page.getByTestId("explain-tab-gate").click();
  await page.locator("#gate-entropy").fill("0.7");
  await page.getByTestId("gate-what-if").waitFor();
}

async function stepWords(page) {
  await page.getByTestId("explain-tab-words").click();
  await page.getByTestId("words-step").click();
  await page.getByTestId("words-step").click();
  await page.locator(".cm-word.main, .cm-word").first().waitFor();
}

async function listWords(page) {
  await page.getByTestId("explain-tab-words").click();
  await page.locator(".words-foot .switch").click();
}
