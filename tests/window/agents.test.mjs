// Agents in the real window, in a home of their own: set up, verify, undo, and what was asked.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, home, repository, shop, skip, whyrank, whyrankDesktop } from "../support.mjs";
import { contentOf, installed, photograph, sizes, testId } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const CURSOR = '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "npx", "env": { "API_KEY": "abcdefgh" } }\n  }\n}\n';

test("agents are set up, checked and undone", async (t) => {
  for (const program of ["Xvfb", "WebKitWebDriver"]) {
    if (!installed(program)) return skip(t, `${program} is not installed`);
  }
  const repo = repository(t, shop);
  const person = folder(t, "person");
  const config = join(person, ".cursor/mcp.json");
  mkdirSync(join(person, ".cursor"));
  mkdirSync(join(person, ".gemini"));
  writeFileSync(config, CURSOR);
  writeFileSync(join(person, ".gemini/settings.json"), '{\n  "broken": \n');
  const display = await startDisplay(t);
  const data = home(t);
  const env = { DISPLAY: display, WHYRANK_HOME: data, HOME: person, XDG_CONFIG_HOME: "" };
  delete process.env.WAYLAND_DISPLAY;
  const log = (...args) => JSON.parse(execFileSync(whyrank, ["agents", "log", ...args], { env: { ...process.env, ...env }, encoding: "utf8" }));
  const window = await openWindow(t, { binary: whyrankDesktop, args: [repo], env });
  await window.resize(...sizes[0]);

  await t.test("what is on the machine is found", async () => {
    await window.click(testId("nav-agents"));
    await until("cursor is found", async () => (await contentOf(window, "agents-found")).includes("Cursor"));
    assert.match(await contentOf(window, "agent-gemini-cli"), /Invalid file/);
    assert.match(await contentOf(window, "profile-cost"), /\d+ tools, about [\d,]+ tokens/);
    await photograph(window, "agents");
  });

  await t.test("one click sets an agent up, and the server is started as it will", async () => {
    await window.click(`${testId("agent-cursor")} ${testId("agent-setup")}`);
    await until("the ticks are there", async () => (await contentOf(window, "agent-cursor")).includes("listed"), 30);
    const written = readFileSync(config, "utf8");
    assert.match(written, /\/\/ mine/);
    assert.match(written, /"whyrank": \{/);
    await photograph(window, "agents-set-up");
  });

  await t.test("calls appear with their answers", async () => {
    const messages = [
      { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "cursor-vscode", version: "2.1" } } },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "search", arguments: { query: "value added tax" } } },
      { id: 3, method: "tools/call", params: { name: "lookup", arguments: { symbol: "NoSuchThing" } } },
    ];
    const input = messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message })).join("\n");
    execFileSync(whyrank, ["mcp", "--repo", repo], { input: `${input}\n`, env: { ...process.env, ...env } });
    await until("cursor is connected", async () => (await contentOf(window, "agent-cursor")).includes("Connected"), 20);
    await window.script("location.hash = '#/agents?tab=live';");
    await until("the calls are followed", async () => (await contentOf(window, "live-list")).includes("NoSuchThing"));
    assert.match(await contentOf(window, "day-figures"), /calls/);
    await photograph(window, "agents-live");
    await window.script("location.hash = '#/agents?tab=calls';");
    await until("the calls are listed", async () => (await contentOf(window, "calls")).includes("lookup"));
    await window.script("[...document.querySelectorAll('[data-testid=call]')].at(-1).click();");
    await until("the answer is shown", async () => (await contentOf(window, "call-text")).length > 10);
    await photograph(window, "agents-calls");
  });

  await t.test("each session is summed up, and the log can be switched off and asks before it is cleared", async () => {
    await window.script("location.hash = '#/agents?tab=sessions';");
    await until("the session is listed", async () => (await contentOf(window, "sessions")).includes("cursor-vscode"));
    await photograph(window, "agents-sessions");
    await window.click(testId("session"));
    await until("its calls are a timeline", async () => (await contentOf(window, "session-calls")).includes("lookup"));
    assert.match(await contentOf(window, "session-figures"), /calls/);
    await photograph(window, "agents-session");
    await window.script("location.hash = '#/agents?tab=calls';");
    await window.see(testId("calls-keep"));
    await window.script("document.querySelector('[data-testid=calls-keep] input').click();");
    await until("the log is off", () => log("--json", "-n", "1").is_on === false);
    await until("the window shows it", () => window.script("return !document.querySelector('[data-testid=calls-keep] input').checked;"));
    await window.script("document.querySelector('[data-testid=calls-keep] input').click();");
    await until("the log is on", () => log("--json", "-n", "1").is_on === true);
    await window.click(testId("calls-clear"));
    await until("it asks", async () => (await contentOf(window, "calls-clear-confirm")).includes("Clear the log"));
    await photograph(window, "agents-clear");
    await window.script("[...document.querySelectorAll('.dialog-actions button')].find((one) => one.textContent === 'Keep the log').click();");
    assert.equal(log("--json").total.calls, 2);
  });

  await t.test("every line is shown before it is written, and undo gives the file back", async () => {
    await window.script("location.hash = '#/agents';");
    await until("the cards are back", async () => (await contentOf(window, "agents-found")).includes("Cursor"));
    await window.script(
      "[...document.querySelectorAll('[data-testid=agent-cursor] button')].find((one) => one.textContent === 'Review').click();",
    );
    await until("the plan is there", async () => (await contentOf(window, "plan-cursor")).includes("hooks"));
    await photograph(window, "agents-review");
    await window.script("document.querySelector('.dialog-head button').click();");
    await window.script(
      "[...document.querySelectorAll('[data-testid=agent-cursor] button')].find((one) => one.textContent === 'Undo').click();",
    );
    await until("the file is as it was", async () => readFileSync(config, "utf8") === CURSOR);
  });
});
