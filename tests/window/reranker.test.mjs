// The reranker in the real window: set up, tested, seen in search with undo, and explained.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { home, repository, shop, skip, whyrankDesktop } from "../support.mjs";
import { contentOf, installed, photograph, pick, sizes, testId, textOf } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

test("the reranker in the window", async (t) => {
  for (const program of ["Xvfb", "WebKitWebDriver"]) {
    if (!installed(program)) return skip(t, `${program} is not installed`);
  }
  const endpoint = await serve(t);
  const repo = repository(t, shop);
  const display = await startDisplay(t);
  const env = { DISPLAY: display, WHYRANK_HOME: home(t) };
  const window = await openWindow(t, { binary: whyrankDesktop, args: [repo], env });
  await window.resize(...sizes[0]);
  await window.click(testId("nav-repositories"));
  await until("the repository is ready", async () => (await textOf(window, "repo-row")).match(/ready|up to date/i), 60);

  await t.test("an endpoint is set up and tested before it is saved", async () => {
    await window.click(testId("nav-settings"));
    await window.see(testId("reranker"));
    await window.script(
      "document.querySelector('[data-testid=reranker] input[type=radio]:not(:checked)').closest('fieldset').querySelectorAll('input')[1].click();",
    );
    await window.see("#reranker-endpoint");
    await window.type("#reranker-endpoint", endpoint.url);
    await window.type("#reranker-endpoint_model", "play");
    await window.script("document.querySelector('[data-testid=reranker]').scrollIntoView({block: 'center'});");
    await window.click(testId("reranker-test"));
    await until("what the test found", async () => (await contentOf(window, "reranker")).includes("right form"));
    await photograph(window, "settings-reranker");
    await window.click(testId("reranker-save"));
    await until("it is saved", async () => (await window.find(`${testId("reranker-save")}[data-disabled]`)).length > 0);
  });

  await t.test("the fused order comes at once, the reranked one as an update with undo", async () => {
    endpoint.delayMs = 4000;
    await window.click(testId("nav-search"));
    await window.type(testId("search-input"), "price of an article path:web/");
    // Words are searched as they are typed; the reranker waits for the last of them.
    const isAtWork = async () => (await state(window)) === "working" && (await paths(window)).length > 2;
    await until("hits, and it is at work", isAtWork);
    const fused = await paths(window);
    await photograph(window, "search-reranking");
    await until("it has moved hits", async () => (await state(window)) === "moved");
    await until("rows are in their places", async () => (await paths(window))[0] === fused[2]);
    await photograph(window, "search-reranked");
    await window.click(testId("rerank-undo"));
    await until("the fused order is back", async () => (await paths(window))[0] === fused[0]);
    assert.deepEqual(await paths(window), fused);
    await photograph(window, "search-unranked");
    await window.click(testId("rerank-redo"));
    await until("and the other again", async () => (await paths(window))[0] === fused[2]);
  });

  await t.test("the explanation has the stage, its windows, and two hits in words", async () => {
    await window.click(testId("search-hit"));
    await window.click(testId("hit-explain"));
    await window.see(testId("explain-tab-rerank"));
    await pick(window, "compare-with", 2);
    await until("sentences", async () => (await contentOf(window, "in-words")).includes("is ahead of"));
    await window.script("document.querySelector('[data-testid=in-words]').scrollIntoView({block: 'center'});");
    await photograph(window, "explain-in-words");
    await window.click(testId("explain-tab-rerank"));
    await window.see(testId("rerank-window"));
    await photograph(window, "explain-reranker");
    await window.click(testId("explain-tab-movement"));
    await window.see(testId("bump-chart"));
    await photograph(window, "explain-reranked-movement");
  });
});

/** A chat endpoint that says that the third snippet is best, and the second of two. */
async function serve(t) {
  const endpoint = { url: "", delayMs: 0 };
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const message = { role: "assistant", content: "[3] > [2] > [1]" };
      const body = JSON.stringify({ choices: [{ message }] });
      setTimeout(() => response.end(body), endpoint.delayMs);
    });
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.close());
  endpoint.url = `http://127.0.0.1:${server.address().port}/v1`;
  return endpoint;
}

const state = (window) =>
  window.script("return document.querySelector('[data-testid=rerank-notice]')?.dataset.state ?? '';");

/** Paths of the hits from top to bottom. */
const paths = (window) =>
  window.script(
    `return [...document.querySelectorAll('[data-testid=search-hit]')]
       .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
       .map((hit) => hit.dataset.path + ':' + hit.dataset.line);`,
  );
