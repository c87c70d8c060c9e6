// The real window on a display in memory: Xvfb, WebKitWebDriver, and plain W3C WebDriver calls.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { results } from "../support.mjs";

const element = "element-6066-11e4-a52e-4f735466cecf";

/** Starts a display; returns its name. */
export async function startDisplay(t, size = "1400x1000") {
  const display = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", `${size}x24`, "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  t.after(() => end(display));
  const number = await new Promise((done, fail) => {
    display.on("error", fail);
    display.on("close", () => fail(new Error("Xvfb ended")));
    display.stdout.once("data", (bytes) => done(String(bytes).trim()));
  });
  return `:${number}`;
}

/** Opens the application under a driver of its own; `onLog` gets what both write to standard error.
 *  Without a `bus` there is none. */
export async function openWindow(t, { binary, args, env, onLog, bus }) {
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
    env: {
      ...process.env,
      // Where the window draws by processor, as it chooses without a graphics card, the driver's
      // photographs wait for a change that does not come.
      WEBKIT_DISABLE_DMABUF_RENDERER: "0",
      // No driver answers the system's dialogs: what is typed in tests may be read.
      WHYRANK_WINDOW_READS: realpathSync(tmpdir()),
      // What the page keeps (zoom, theme, recent searches) is the test's own.
      ...(env.WHYRANK_HOME && !env.HOME ? { XDG_DATA_HOME: join(env.WHYRANK_HOME, "page") } : {}),
      ...env,
      // Without this the webview takes no orders.
      TAURI_WEBVIEW_AUTOMATION: "true",
      // A running Whyrank of the person at this machine must not answer in our place.
      DBUS_SESSION_BUS_ADDRESS: bus ?? "unix:path=/nonexistent",
      NO_AT_BRIDGE: "1",
      GDK_BACKEND: "x11",
      LIBGL_ALWAYS_SOFTWARE: "1",
    },
    stdio: ["ignore", "inherit", onLog ? "pipe" : "inherit"],
  });
  if (onLog) driver.stderr.on("data", (bytes) => onLog(String(bytes)));
  const base = `http://127.0.0.1:${port}`;
  await until("the driver answers", () => fetch(`${base}/status`).then((answer) => answer.ok, () => false));
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { binary, args } } };
  const { sessionId } = await request(base, "POST", "/session", { capabilities });
  const window = new Window(`${base}/session/${sessionId}`);
  t.after(async () => {
    await window.close().catch(() => {});
    await end(driver);
  });
  return window;
}

class Window {
  /** Keys as W3C WebDriver names them. */
  keys = { enter: "\uE007", escape: "\uE00C", left: "\uE012", down: "\uE015", tab: "\uE004", control: "\uE009" };

  constructor(session) {
    this.session = session;
  }

  send(method, path, body) {
    return request(this.session, method, path, body);
  }

  close() {
    return this.send("DELETE", "");
  }

  /** Runs a script in the page; returns what it returns. */
  script(script, ...args) {
    return this.send("POST", "/execute/sync", { script, args });
  }

  /** Runs a script that calls its last argument with its answer. */
  scriptLater(script, ...args) {
    return this.send("POST", "/execute/async", { script, args });
  }

  async find(selector) {
    // The page may take an element away between the driver's search and its answer; the page as it
    // stands after that is what is asked for, so a stale answer is no answer.
    const found = await whilePassing(() =>
      this.send("POST", "/elements", { using: "css selector", value: selector }),
    );
    return found.map((one) => new Element(this, one[element]));
  }

  /** The first element that matches, waited for. */
  async see(selector, seconds = 40) {
    let found = [];
    await until(`${selector} is there`, async () => {
      found = await this.find(selector);
      return found.length > 0;
    }, seconds);
    return found[0];
  }

  async click(selector) {
    await whilePassing(async () => {
      const target = await this.see(selector);
      await target.click();
    });
  }

  /** Waits until a script returns something true; returns it. */
  async untilTrue(what, script, ...args) {
    let value;
    await until(what, async () => {
      value = await this.script(script, ...args);
      return value;
    }, 60);
    return value;
  }

  /** Puts text into an input, as keys. */
  async type(selector, text) {
    await whilePassing(async () => {
      const input = await this.see(selector);
      // The driver's own way to empty a field is one that React does not hear of: the old text would
      // come back with the next answer that is drawn. What is selected is replaced, as by a person.
      await this.script("arguments[0].focus(); arguments[0].select();", { [element]: input.id });
      await input.send("POST", "/value", { text });
    });
  }

  /** Presses a key, wherever the focus is. */
  async press(key) {
    const actions = [
      { type: "keyDown", value: key },
      { type: "keyUp", value: key },
    ];
    await this.send("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  /** Writes where the focus is, key by key. */
  write(text) {
    return this.keysDown([], [...text]);
  }

  /** Presses keys one after the other while others are held. */
  async keysDown(held, keys) {
    const down = (value) => ({ type: "keyDown", value });
    const up = (value) => ({ type: "keyUp", value });
    const actions = [...held.map(down), ...keys.flatMap((key) => [down(key), up(key)]), ...held.map(up)];
    await this.send("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  async resize(width, height) {
    await this.send("POST", "/window/rect", { width, height });
    // The outer size may hold a frame: what counts is the page.
    await this.untilTrue(`the page is ${width} wide`, "return Math.abs(innerWidth - arguments[0]) < 80;", width);
  }

  async screenshot(name) {
    const path = join(results, "screenshots", `${name}.png`);
    mkdirSync(dirname(path), { recursive: true });
    // Transitions take less.
    await new Promise((done) => setTimeout(done, 300));
    writeFileSync(path, Buffer.from(await this.send("GET", "/screenshot"), "base64"));
  }
}

class Element {
  constructor(window, id) {
    this.window = window;
    this.id = id;
  }

  send(method, path, body) {
    return this.window.send(method, `/element/${this.id}${path}`, body);
  }

  click() {
    return this.send("POST", "/click", {});
  }

  text() {
    return this.send("GET", "/text");
  }

  attribute(name) {
    return this.send("GET", `/attribute/${name}`);
  }
}

async function request(base, method, path, body) {
  const answer = await fetch(base + path, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: { "content-type": "application/json" },
    signal: AbortSignal.timeout(60_000),
  });
  const { value } = await answer.json();
  if (!answer.ok) {
    const error = new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    throw Object.assign(error, { code: value.error });
  }
  return value;
}

/** What ends by itself: the page has just replaced the element, it is still on its way in, or another
 *  one moves across it. */
const passing = ["stale element reference", "element not interactable", "element click intercepted"];

/** Repeats an action for as long as it meets an element that is not there any more, or not yet. */
async function whilePassing(action, tries = 40) {
  for (let left = tries; ; left -= 1) {
    try {
      return await action();
    } catch (error) {
      if (left <= 1 || !passing.includes(error.code)) throw error;
      await new Promise((done) => setTimeout(done, 25));
    }
  }
}

export async function until(what, condition, seconds = 40) {
  const deadline = Date.now() + seconds * 1000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `not within ${seconds} s: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((done) => child.on("close", done));
  child.kill();
  await closed;
}

function freePort() {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
