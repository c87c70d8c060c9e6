// The updater end to end, on this machine alone: two versions built for a throw-away key, a server on loopback, and the
// real window. Offered, refused where the signature is another's or for another version, taken back where the new version
// does not start, installed. Programs of the profile dev: plain HTTP is refused by those of a release.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, renameSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { contentOf, testId } from "../../tests/window/screen.mjs";
import { openWindow, startDisplay, until } from "../../tests/window/webdriver.mjs";
import { buildUi, npm, targetFolder } from "../setup.mjs";
import { StepError, root, run, say } from "../steps.mjs";
import { makeRepository } from "./check.mjs";
import { sha256, version } from "./release.mjs";

const NEW = "99.0.0";
const program = "whyrank-desktop";
const ends = [];
/** As `node:test` gives it to the helpers of the window's tests. */
const t = { after: (end) => ends.push(end) };

export async function checkUpdater(folder) {
  mkdirSync(folder, { recursive: true });
  const keys = { right: makeKey(folder, "right"), other: makeKey(folder, "other") };
  const announced = { body: {}, file: "", asked: 0 };
  const server = createServer((request, response) => {
    if (request.url !== "/latest.json") return response.end(readFileSync(announced.file));
    announced.asked += 1;
    response.end(JSON.stringify(announced.body));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  const at = `http://127.0.0.1:${server.address().port}`;
  try {
    await buildUi();
    const old = await build(folder, version, { key: keys.right, at });
    const fresh = await build(folder, NEW, { key: keys.right, at });
    const announce = (file, key, signedFor, announcedAs = signedFor) => {
      announced.file = file;
      const platforms = { "linux-x86_64": { url: `${at}/file`, signature: sign(file, key, signedFor) } };
      announced.body = { version: announcedAs, notes: "What is new", platforms };
    };
    await walk({ folder, old, fresh, keys, announce, look: (window) => look(window, announced) });
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function walk({ folder, old, fresh, keys, announce, look }) {
  const installed = join(folder, "installed", program);
  mkdirSync(join(folder, "installed"));
  copyFileSync(old, installed);
  const state = join(folder, "home/state/update");
  const display = await startDisplay(t);
  const open = () => openUpdates({ folder, installed, display });
  t.after(() => running(installed).forEach((pid) => process.kill(pid, "SIGKILL")));

  let window = await open();
  announce(fresh, keys.right, version);
  await look(window);
  await window.see(testId("update-none"));
  say("✓ nothing newer: said");

  announce(fresh, keys.other, NEW);
  await look(window);
  await window.see(testId("update-offer"));
  assert.match(await section(window), /99\.0\.0 is there.*What is new/s);
  await refused(window, /signature|key/i);
  announce(fresh, keys.right, "98.0.0", NEW);
  await look(window);
  await refused(window, /signed for version 98\.0\.0/);
  assert.equal(sha256(installed), sha256(old), "the program is what it was");
  say("✓ another's signature, and one for another version: refused, nothing changed");

  // Starts, and ends at once.
  const broken = join(folder, "broken");
  copyFileSync("/bin/false", broken);
  announce(broken, keys.right, NEW);
  await look(window);
  await replaced(window, () => existsSync(join(state, "failed.json")) || (existsSync(join(state, "pending.json")) === false && sha256(installed) === sha256(old)));
  await until("the version before is up again", () => running(installed).length > 0 && !existsSync(join(state, "failed.json")), 90);
  assert.equal(sha256(installed), sha256(old), "the version before is back");
  say("✓ a version that does not start: the one before is back, and up");
  await endAll(installed);

  window = await open();
  announce(fresh, keys.right, NEW);
  await look(window);
  await replaced(window, () => sha256(installed) === sha256(fresh));
  await until("the new version says that it is up", () => !existsSync(join(state, "pending.json")) && !existsSync(join(state, "previous")), 90);
  assert.ok(running(installed).length > 0, "the new version runs");
  say("✓ a good one: installed, up, and the copy of the one before is gone");
  await endAll(installed);
}

async function openUpdates({ folder, installed, display }) {
  const repository = makeRepository(join(folder, "repository"));
  const env = { DISPLAY: display, WHYRANK_HOME: join(folder, "home"), WAYLAND_DISPLAY: "" };
  const window = await openWindow(t, { binary: installed, args: [repository], env });
  await window.see("main");
  await window.script("location.hash = '#/settings';");
  await window.see(testId("update-check"));
  return window;
}

/** Checks for updates, and waits for the answer. */
async function look(window, announced) {
  const before = announced.asked;
  await window.click(testId("update-check"));
  await until("the answer", async () => announced.asked > before && (await contentOf(window, "update-check")) === "Check for updates");
}

const section = (window) => contentOf(window, "update-offer");

async function refused(window, why) {
  await window.click(testId("update-install"));
  let shown = "";
  const isRefused = async () => why.test((shown = await section(window)));
  await until("it is refused", isRefused, 60).catch((error) => {
    throw new StepError(`${error.message}; the window says: ${shown}`);
  });
}

/** The window goes away in the middle of an answer: what counts is what is on disk then. */
async function replaced(window, isDone) {
  await until("the new version is offered", async () => (await section(window)).includes(NEW));
  await window.click(testId("update-install"));
  await until("the program is replaced", isDone, 120);
}

/** Builds the window as one version, for a key and an address. */
async function build(folder, wanted, { key, at }) {
  const env = {
    WHYRANK_UPDATER_KEY: readFileSync(`${key}.pub`, "utf8"),
    WHYRANK_UPDATER_ENDPOINT: `${at}/latest.json`,
    TAURI_CONFIG: JSON.stringify({ version: wanted }),
  };
  // The selection of `npm start` and one feature more: most of what it built is used again.
  await run("cargo", ["build", "--locked", "--workspace", "--features", "whyrank-desktop/custom-protocol,whyrank-desktop/updater", "--bin", program], { env });
  const made = join(folder, `${program}-${wanted}`);
  execFileSync("strip", ["-o", made, join(targetFolder(), "debug", program)]);
  return made;
}

function makeKey(folder, name) {
  const file = join(folder, `${name}.key`);
  tauri("signer", "generate", "--ci", "--password", "", "--write-keys", file);
  return file;
}

function sign(file, key, signedFor) {
  const copy = `${file}.to-sign`;
  copyFileSync(file, copy);
  tauri("signer", "sign", "--private-key-path", key, "--password", "", "--app-version", signedFor, copy);
  renameSync(`${copy}.sig`, `${file}.sig`);
  return readFileSync(`${file}.sig`, "utf8");
}

const tauri = (...args) => execFileSync(npm, ["run", "--silent", "tauri", "--", ...args], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });

/** Processes of the installed program, however it was started. */
function running(installed) {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/exe`) === installed;
    } catch {
      return false;
    }
  });
}

async function endAll(installed) {
  for (const pid of running(installed)) process.kill(pid, "SIGTERM");
  await until("it has ended", () => running(installed).length === 0);
}
