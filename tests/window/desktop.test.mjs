// What the desktop has of the window: a tray with what is being indexed, a key from anywhere, and the
// place of the window. The tray is a stand-in on a private bus.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { home, repository, shop, skip, whyrankDesktop } from "../support.mjs";
import { contentOf, installed, testId } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

const tray = join(dirname(fileURLToPath(import.meta.url)), "tray.py");
const close = join(dirname(fileURLToPath(import.meta.url)), "close.py");
const library = "libayatana-appindicator3.so.1";

test("the desktop has a tray entry, a key and the window's place", async (t) => {
  const desktop = await startDesktop(t, { tray: true, keep_in_tray: false, palette_key: "Control+Alt+KeyW" });
  if (!desktop) return;
  const { display, bus, env, python } = desktop;
  const repo = repository(t, shop);
  const watcher = await startTray(t, bus, python);
  const window = await openWindow(t, { binary: whyrankDesktop, args: [repo], env, bus });

  await t.test("the menu says what is being indexed, and leads to the window's screens", async () => {
    await until("the icon is there", () => watcher.isRegistered());
    // Before its index is begun there is nothing to do either.
    await window.click(testId("nav-repositories"));
    await until("the repository is ready", async () => (await contentOf(window, "repo-row")).match(/ready|up to date/i), 60);
    await until("nothing is left to do", async () => (await watcher.ask("menu")).menu?.[0] === "Nothing is being indexed");
    const { menu, status } = await watcher.ask("menu");
    assert.deepEqual(menu, ["Nothing is being indexed", "Open Whyrank", "Commands…", "Quit Whyrank"]);
    assert.equal(status, "Active");
    await watcher.ask("press Commands…");
    await window.see("[aria-label='Command, symbol or file']");
    await window.press(window.keys.escape);
    await until("the palette is gone", async () => (await window.find(".palette")).length === 0);
  });

  await t.test("the key, which the display hands over and not the page, opens the palette", async () => {
    await window.script("document.activeElement?.blur();");
    execFileSync("xdotool", ["key", "ctrl+alt+w"], { env: { ...process.env, DISPLAY: display } });
    await window.see("[aria-label='Command, symbol or file']");
    await window.press(window.keys.escape);
    await until("the palette is gone", async () => (await window.find(".palette")).length === 0);
  });

  await t.test("Settings show both, and take the icon away", async () => {
    await window.click(testId("nav-settings"));
    await until("the key", async () => (await contentOf(window, "desktop-key")).includes("Ctrl+Alt+W"));
    await window.script("document.querySelector('[data-testid=desktop-key]').scrollIntoView();");
    await window.screenshot("settings-desktop");
    await window.click(testId("desktop-tray"));
    await until("it is hidden", async () => (await watcher.ask("menu")).status === "Passive");
    await window.click(testId("desktop-tray"));
    await until("it is back", async () => (await watcher.ask("menu")).status === "Active");
  });

  await t.test("the window comes back as large as it was, after Quit in the tray", async () => {
    await window.resize(1010, 640);
    const size = await window.script("return [innerWidth, innerHeight];");
    await watcher.ask("press Quit Whyrank");
    await until("the program has ended", () => window.find("body").then(() => false, () => true));
    const again = await openWindow(t, { binary: whyrankDesktop, args: [], env, bus });
    await again.untilTrue("its size", "return Math.abs(innerWidth - arguments[0]) < 4 && Math.abs(innerHeight - arguments[1]) < 4;", ...size);
  });
});

test("a closed window stays in the tray, and ends where no tray is", async (t) => {
  const desktop = await startDesktop(t, { tray: true, keep_in_tray: true });
  if (!desktop) return;
  const { display, bus, env, python } = desktop;

  await t.test("with a tray it is hidden, and comes back as it was", async (t) => {
    const watcher = await startTray(t, bus, python);
    const window = await openWindow(t, { binary: whyrankDesktop, args: [repository(t, shop)], env, bus });
    await until("the icon is there", () => watcher.isRegistered());
    await window.click(testId("nav-settings"));
    await until("the window is seen", () => seen(display).length > 0);
    await until("it is hidden", () => (closeSeen(display), seen(display).length === 0));
    assert.equal(await window.script("return location.hash;"), "#/settings", "the program goes on");
    await watcher.ask("press Open Whyrank");
    await until("it is seen again", () => seen(display).length > 0);
    assert.equal(await window.script("return location.hash;"), "#/settings");
    await watcher.ask("press Quit Whyrank");
    await until("the program has ended", () => window.find("body").then(() => false, () => true));
  });

  await t.test("without one the program ends", async (t) => {
    const window = await openWindow(t, { binary: whyrankDesktop, args: [], env, bus });
    await window.see(testId("nav-settings"));
    await until("the window is seen", () => seen(display).length > 0);
    closeSeen(display);
    await until("the program has ended", () => window.find("body").then(() => false, () => true));
  });
});

/** A display, a bus and a home with these settings, and a Python that can be a tray; nothing where one of
 *  them cannot be had, and the test is skipped. */
async function startDesktop(t, settings) {
  const missing = ["Xvfb", "WebKitWebDriver", "dbus-daemon", "xdotool"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  // The system's own has them, which need not be the first on the path.
  const python = ["python3", "/usr/bin/python3"].find((one) => loads(one, "import dbus, gi"));
  if (!python) return skip(t, "python3 has no dbus and gi");
  if (!loads(python, `import ctypes; ctypes.CDLL("${library}")`)) return skip(t, `${library} is not installed`);
  delete process.env.WAYLAND_DISPLAY;
  const display = await startDisplay(t);
  const bus = await startBus(t);
  const env = { DISPLAY: display, XDG_SESSION_TYPE: "x11", WHYRANK_HOME: home(t) };
  choose(env.WHYRANK_HOME, settings);
  return { display, bus, env, python };
}

/** The windows of the program that a person sees. */
function seen(display) {
  const search = ["search", "--onlyvisible", "--name", "^Whyrank$"];
  try {
    return execFileSync("xdotool", search, { env: { ...process.env, DISPLAY: display }, encoding: "utf8" }).trim().split("\n");
  } catch {
    return [];
  }
}

/** Asks the window to close, as the button in its frame does. */
function closeSeen(display) {
  for (const window of seen(display)) execFileSync("python3", [close, window], { env: { ...process.env, DISPLAY: display } });
}

/** What a person chose in Settings before. */
function choose(whyrankHome, settings) {
  mkdirSync(join(whyrankHome, "state"), { recursive: true });
  writeFileSync(join(whyrankHome, "state/desktop.json"), JSON.stringify({ settings }));
}

function loads(python, script) {
  try {
    execFileSync(python, ["-c", script], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A session bus of its own; its address. */
async function startBus(t) {
  const daemon = spawn("dbus-daemon", ["--session", "--nofork", "--print-address"], { stdio: ["ignore", "pipe", "ignore"] });
  t.after(() => daemon.kill());
  for await (const line of createInterface(daemon.stdout)) return line.trim();
  throw new Error("the bus ended");
}

/** The stand-in for a tray: a question at a time. */
async function startTray(t, bus, python) {
  const child = spawn(python, [tray], {
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: bus },
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => child.kill());
  let isRegistered = false;
  const waiting = [];
  createInterface(child.stdout).on("line", (line) => {
    const answer = JSON.parse(line);
    if (answer.registered) isRegistered = true;
    else waiting.shift()?.(answer);
  });
  const ready = new Promise((done) => waiting.push(done));
  await ready;
  return {
    isRegistered: () => isRegistered,
    ask: (line) =>
      new Promise((done) => {
        waiting.push(done);
        child.stdin.write(`${line}\n`);
      }),
  };
}
