// Tools that check the MCP server from outside, each version pinned, kept in target/agent-tools:
// nothing of them is needed to build, and some are large.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { npm, targetFolder } from "../setup.mjs";
import { StepError, ask, run, say } from "../steps.mjs";

/** Packages by name; a version is raised by hand, with the run that shows what it brings. */
export const PINNED = {
  conformance: ["@modelcontextprotocol/conformance@0.2.0-alpha.12"],
  inspector: ["@modelcontextprotocol/inspector@2.12.0"],
  mcpb: ["@anthropic-ai/mcpb@2.1.2"],
  schema: ["ajv@8.17.1", "ajv-formats@3.0.1"],
};

// The suite and the inspector use what came with this Node.
const NODE_WANTED = [22, 19];
const NODE_BROUGHT = "24";

const shelf = () => join(targetFolder(), "agent-tools");

/** Installs packages into a folder of their own, once; gives the folder. */
export async function install(name, packages = PINNED[name]) {
  const folder = join(shelf(), name);
  const stamp = join(folder, "installed");
  const wanted = packages.join("\n");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  await run(npm, ["install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, ...packages], {
    next: "check the connection to the npm registry (npm config get registry)",
  });
  writeFileSync(stamp, wanted);
  return folder;
}

/** The script behind a command of an installed package. */
export function script(folder, packageName, command) {
  const path = join(folder, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  return join(path, typeof bin === "string" ? bin : bin[command]);
}

/** A Node that is new enough: this one, or one from the registry. */
export async function modernNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [wanted, least] = NODE_WANTED;
  if (major > wanted || (major === wanted && minor >= least)) return process.execPath;
  const name = `node-${platform() === "win32" ? "win" : platform()}-${arch()}`;
  say(`Node.js ${process.version} is older than ${NODE_WANTED.join(".")}: taking ${NODE_BROUGHT} for this run`);
  try {
    const folder = await install("node", [`${name}@${NODE_BROUGHT}`]);
    const file = join(folder, "node_modules", name, "bin", platform() === "win32" ? "node.exe" : "node");
    if (ask(file, "--version")) return file;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
  }
  throw new StepError("no Node.js that is new enough", `install Node.js ${NODE_WANTED.join(".")} or newer`);
}

/** The environment in which that Node comes first. */
export function withNode(node) {
  return { PATH: dirname(node) + delimiter + process.env.PATH };
}
