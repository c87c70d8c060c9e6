// `npm start [-- PATH]`: installs what is missing, builds, and opens the window with a repository
// already indexing. Without a display: index, search and explain in the terminal.

import { existsSync } from "node:fs";
import { platform } from "node:os";
import { resolve } from "node:path";
import { setUp, whyrank, whyrankDesktop } from "./setup.mjs";
import { StepError, main, root, run, say, step } from "./steps.mjs";

await main(
  async () => {
    const path = repository();
    await setUp({ windowTest: false });
    if (hasDisplay()) await step(`window: ${path}`, () => openWindow(path));
    else await step(`demo: ${path}`, () => demo(path));
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
