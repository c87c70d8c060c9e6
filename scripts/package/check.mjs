// `npm run package -- --check`: what was packed, installed and used as a new user would, in places that have nothing else:
// archive, npm packages, wheel and bundle in empty homes; `.deb` in a clean Debian root (Linux, as root, mmdebstrap).

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { platform, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { npm } from "../setup.mjs";
import { StepError, run, say, step, tally } from "../steps.mjs";
import { checkInRoot } from "./clean-root.mjs";
import { checkUpdater } from "./updater.mjs";
import { archiveFile, archiveName, dist, target, version } from "./release.mjs";

const isWindows = platform() === "win32";
const python = isWindows ? "python" : "python3";

export async function check(skipped) {
  const base = mkdtempSync(join(tmpdir(), "whyrank-package-"));
  const checks = { archive: inArchive, npm: inNpm, wheel: inWheel, "bundle for agents": inBundle };
  const wanted = Object.entries(checks).filter(([name]) => !skipped.has(name));
  for (const [name, act] of wanted) await one(`check: ${name}`, () => act(join(base, name.split(" ")[0])));
  const isRoot = platform() === "linux" && userInfo().uid === 0;
  if (skipped.has(".deb")) say("check: .deb: left out");
  else if (isRoot) await one("check: .deb in a clean Debian", () => checkInRoot(base));
  else say("check: .deb: left out, it takes root on Linux");
  if (platform() !== "linux" || skipped.has("updater")) say("check: updater: left out");
  else await one("check: updater", () => checkUpdater(join(base, "updater")));
  rmSync(base, { recursive: true, force: true });
}

async function one(title, act) {
  await step(title, act);
  tally.passed += 1;
}

async function inArchive(folder) {
  mkdirSync(folder, { recursive: true });
  await run("tar", ["-xf", join(dist, archiveFile(target)), "-C", folder]);
  use([join(folder, archiveName(target), "whyrank")], folder);
}

/** From the tarballs alone, scripts forbidden; what is not here is optional. */
async function inNpm(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const tarballs = readdirSync(join(dist, "npm")).map((name) => join(dist, "npm", name));
  const env = { npm_config_cache: join(folder, "cache") };
  await run(npm, ["install", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--offline", ...tarballs], { cwd: folder, env });
  use([process.execPath, join(folder, "node_modules/whyrank/whyrank.mjs")], folder);
}

async function inWheel(folder) {
  mkdirSync(folder, { recursive: true });
  const wheel = readdirSync(dist).find((name) => name.endsWith(".whl"));
  if (!wheel) throw new StepError("there is no wheel in dist", "run `npm run package` first");
  const scripts = join(folder, "env", isWindows ? "Scripts" : "bin");
  await run(python, ["-m", "venv", join(folder, "env")]);
  await run(join(scripts, "pip"), ["install", "--quiet", "--no-index", "--disable-pip-version-check", join(dist, wheel)]);
  use([join(scripts, "whyrank")], folder);
}

async function inBundle(folder) {
  const bundle = readdirSync(dist).find((name) => name.endsWith(".mcpb"));
  mkdirSync(folder, { recursive: true });
  await run(python, ["-m", "zipfile", "-e", join(dist, bundle), folder]);
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const program = manifest.server.mcp_config.command.replace("${__dirname}", folder);
  if (!isWindows) chmodSync(program, 0o755);
  use([isWindows ? `${program}.exe` : program], folder);
}

/** Version, an index, a search and a call over MCP, in a home of its own; nothing of this machine's is inherited. */
export function use([program, ...first], folder, wrap = (command) => command) {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const repository = makeRepository(join(folder, "repository"));
  const env = isWindows ? { ...process.env, APPDATA: home, LOCALAPPDATA: home, USERPROFILE: home } : { HOME: home, PATH: "/usr/bin:/bin", LANG: "C.UTF-8" };
  const call = (args, input = "") => {
    const [command, ...rest] = wrap([program, ...first, ...args]);
    return execFileSync(command, rest, { cwd: repository, env, input, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"], timeout: 120_000 });
  };
  expect(call(["--version"]).includes(version), "--version names the version");
  call(["index", repository, "--no-vectors"]);
  expect(call(["search", "greet somebody"]).includes("hello.py"), "a search finds the file");
  const message = (id, method, params) => `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "check", version: "1" } };
  const talk = message(1, "initialize", hello) + `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n` + message(2, "tools/call", { name: "lookup", arguments: { symbol: "greet" } });
  expect(call(["mcp"], talk).includes("hello.py"), "a call over MCP is answered");
  say(`✓ version, index, search, MCP: ${program}`);
}

export function makeRepository(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "hello.py"), 'def greet(name):\n    """Greets somebody by name."""\n    return f"hello {name}"\n');
  const git = (...args) => execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { stdio: "ignore" });
  if (!existsSync(join(folder, ".git"))) {
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "first");
  }
  return folder;
}

export function expect(holds, what) {
  if (!holds) throw new StepError(`not so: ${what}`, "look at the package in dist");
}

