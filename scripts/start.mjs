// `npm start [-- PATH]`: installs what is missing, builds the command line, which indexes a repository and shows a first
// answer about it while the window is compiled, and opens the window. Without a display the terminal is all there is.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { platform } from "node:os";
import { resolve } from "node:path";
import { build, setUpTools, setUpUi, whyrank, whyrankDesktop } from "./setup.mjs";
import { StepError, main, root, run, say, step } from "./steps.mjs";

await main(
  async () => {
    const path = repository();
    const window = hasDisplay();
    await setUpTools({ window });
    await step("build of the command line (the first time takes about 7 minutes on 2 cores)", () => build("whyrank"));
    if (!window) return step(`demo: ${path}`, () => demo(path));
    const stop = existsSync(whyrankDesktop) ? () => {} : firstAnswer(path);
    await setUpUi();
    await step("build of the window (the first time takes about 2 minutes on 2 cores)", () => build("whyrank", "whyrank-desktop"));
    await stop();
    await step(`window: ${path}`, () => openWindow(path));
  },
  { closingLine: false },
);

/** The path given, as seen from where the command was typed; else this repository. */
function repository() {
  const given = process.argv[2];
  if (!given) return root;
  const path = resolve(process.env.INIT_CWD ?? process.cwd(), given);
  if (!existsSync(path)) throw new StepError(`${path} does not exist`, "name a folder that lies in a git repository");
  return path;
}

function hasDisplay() {
  if (platform() !== "linux") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * Indexes, searches and explains beside the build of the window, which says better than this what went wrong. The
 * function that it returns ends it where it is not done: the window's index goes on with what is there.
 */
function firstAnswer(path) {
  say(`\nindexing ${path}: the first answer comes while the window is built`);
  const child = spawn(whyrank, ["demo", "--no-vectors", path], { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece) => (text += piece));
  const ended = new Promise((done) => {
    child.on("error", done);
    child.on("close", done);
  });
  ended.then((status) => {
    if (status === 0) say(`\n== first answer, from ${path}\n${text}-- more of them now: ${whyrank} search "words" in that folder`);
  });
  return () => {
    child.kill("SIGINT");
    return ended;
  };
}

async function openWindow(path) {
  say("this command ends when the window is closed");
  await run(whyrankDesktop, [path], {
    next: `the window could not be opened; the same in the terminal: ${whyrank} demo ${path}`,
  });
}

async function demo(path) {
  say("no display (neither DISPLAY nor WAYLAND_DISPLAY is set): the same in the terminal");
  // The terminal sends Ctrl-C to both: the program ends in order, and this waits for it.
  process.on("SIGINT", () => {});
  await run(whyrank, ["demo", path], { next: "read the message above" });
}
