// What both commands do first: tools, system packages, UI packages, the programs; for tests the model, too.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { homedir, platform } from "node:os";
import { delimiter, join } from "node:path";
import { cargo } from "./progress.mjs";
import { StepError, ask, root, run, say, step } from "./steps.mjs";
import { installSystemPackages } from "./system-packages.mjs";

const rustWanted = [1, 91];
const nodeWanted = [20, 19];

// One selection of packages and features for every cargo call: another one would change the features
// that dependencies share, and compile them again (minutes). `--bin` picks what is built of it and leaves them alone.
export const selection = ["--workspace", "--features", "whyrank-desktop/custom-protocol"];
if (process.env.CI) selection.push("--locked");

const suffix = platform() === "win32" ? ".exe" : "";
const binary = (name) => join(targetFolder(), "debug", name + suffix);
export const npm = platform() === "win32" ? "npm.cmd" : "npm";

/** The built programs. */
export const whyrank = binary("whyrank");
export const whyrankLab = binary("whyrank-lab");
export const whyrankDesktop = binary("whyrank-desktop");

/** All of it for tests: the programs, that of the makers too, and the model. */
export async function setUp({ windowTest }) {
  await setUpBuild(() => build("whyrank", "whyrank-desktop", "whyrank-lab"), { windowTest, model: true });
  await step("embedding model, which tests use", pullModel);
}

/** What has to be there before cargo builds both programs, and then `act`, which builds them; `needs` are those of system packages. */
export async function setUpBuild(act, needs = {}) {
  await setUpTools(needs);
  await setUpUi();
  await step("build (the first time takes about 9 minutes on 2 cores)", act);
}

/** The tools, and what the system has to give. */
export async function setUpTools(needs) {
  await step("tools", checkTools);
  await step("system packages", () => installSystemPackages(needs));
}

/** The page that the window shows. */
export async function setUpUi() {
  await step("UI packages", installUiPackages);
  await step("UI build", buildUi);
}

/** Builds programs, and nothing that they are not made of. */
export async function build(...programs) {
  const bins = programs.flatMap((name) => ["--bin", name]);
  await cargo(["build", ...selection, ...bins], "fix the errors above; when a crate could not be downloaded, check the connection to crates.io");
}

function checkTools() {
  putCargoOnPath();
  check("Node.js", process.version, nodeWanted, "install Node.js 20.19 or newer: https://nodejs.org");
  const rustup = "install it with rustup: https://rustup.rs (then `rustup update stable`)";
  check("Rust", ask("rustc", "--version"), rustWanted, rustup);
  check("Cargo", ask("cargo", "--version"), rustWanted, rustup);
}

/** rustup's folder is on the PATH of new shells only: look there too. */
function putCargoOnPath() {
  const folder = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "bin");
  if (existsSync(folder)) process.env.PATH += delimiter + folder;
}

function check(name, found, [major, minor], next) {
  const [, foundMajor, foundMinor] = found?.match(/(\d+)\.(\d+)/) ?? [];
  if (!found) throw new StepError(`${name} is not installed (${major}.${minor} or newer is needed)`, next);
  const enough = Number(foundMajor) > major || (Number(foundMajor) === major && Number(foundMinor) >= minor);
  if (!enough) throw new StepError(`${name} ${major}.${minor} or newer is needed, found ${found}`, next);
  say(`${name}: ${found}`);
}

async function installUiPackages() {
  const wanted = hashFiles(["package-lock.json", "package.json"]);
  const stamp = join(root, "node_modules", ".whyrank-lock");
  if (readIfThere(stamp) === wanted) return say("up to date");
  await run(npm, ["ci", "--no-audit", "--no-fund"], {
    next: "check the connection to the npm registry (npm config get registry), then run the same command again",
  });
  writeFileSync(stamp, wanted);
}

/** The window's page, where it has changed. */
export async function buildUi() {
  const wanted = hashFiles(["package-lock.json", "ui"]);
  const stamp = join(targetFolder(), "ui-build");
  if (readIfThere(stamp) === wanted && existsSync(join(root, "ui/dist/index.html"))) return say("up to date");
  await run(npm, ["run", "--silent", "build"], { next: "fix the errors above in ui/" });
  mkdirSync(targetFolder(), { recursive: true });
  writeFileSync(stamp, wanted);
  embedAnew();
}

/** The window embeds the built UI when it is compiled; cargo does not watch ui/dist. */
function embedAnew() {
  const now = new Date();
  utimesSync(join(root, "src-tauri/build.rs"), now, now);
}

/** Without it the tests that use it are skipped and listed: a warning, not a failure. */
async function pullModel() {
  try {
    await run(whyrank, ["models", "pull"]);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    say("warning: the embedding model could not be had; tests that use it are skipped");
    say(`warning: try again later with ${whyrank} models pull`);
  }
}

export function targetFolder() {
  return process.env.CARGO_TARGET_DIR ?? join(root, "target");
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function hashFiles(paths) {
  const hash = createHash("sha256");
  const take = (path) => {
    const full = join(root, path);
    if (!statSync(full).isDirectory()) return hash.update(path).update(readFileSync(full));
    const names = readdirSync(full).filter((name) => !["dist", "node_modules"].includes(name));
    for (const name of names.sort()) take(`${path}/${name}`);
  };
  paths.forEach(take);
  return hash.digest("hex");
}
