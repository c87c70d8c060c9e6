// One repository at a time gets its vectors, and who waits is told so.

import assert from "node:assert/strict";
import { test } from "node:test";
import { home, manyFiles, repository, skip, whyrankDesktop } from "../support.mjs";
import { installed, photograph, sizes, testId } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

test("vectors are made in turn", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  if (!process.env.WHYRANK_TEST_MODEL) return skip(t, "no model is installed");
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: home(t, { model: true }) };
  delete process.env.WAYLAND_DISPLAY;
  const repos = [repository(t, manyFiles(600), "first"), repository(t, manyFiles(300), "second")];
  const window = await openWindow(t, { binary: whyrankDesktop, args: [repos[0]], env });
  await window.resize(...sizes[0]);
  await window.click(testId("nav-repositories"));
  const rows = () => window.script("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent);", testId("repo-row"));
  await until("vectors of the first", async () => (await window.find("[data-testid=index-progress][data-lane=vector]")).length > 0, 60);
  await window.click(testId("repo-add"));
  await window.type(testId("add-path"), repos[1]);
  await window.click(testId("add-scan"));
  await window.see(testId("scan-report"), 60);
  await window.click(testId("add-confirm"));
  await until("one waits for the other", async () => /waiting for another repository/i.test((await rows()).join(" ")), 60);
  const lanes = await window.script("return [...document.querySelectorAll('[data-testid=index-progress]')].map((one) => [one.dataset.lane, one.dataset.stage]);");
  const working = lanes.filter(([lane, stage]) => lane === "vector" && stage !== "waiting");
  assert.ok(working.length < 2, JSON.stringify(lanes));
  await photograph(window, "vector-turns");
});
