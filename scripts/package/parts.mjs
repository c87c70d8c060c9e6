// What is shipped, from Cargo's and npm's own records: no tools of development, no dependencies of tests alone.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../steps.mjs";
import { features } from "./release.mjs";

/** What both programs are made of; not what builds or tests them. */
export function crates() {
  const args = ["metadata", "--format-version", "1", "--locked", "--offline", "--features", features];
  const metadata = JSON.parse(execFileSync("cargo", args, { cwd: root, maxBuffer: 1 << 28 }));
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const programs = metadata.packages.filter((one) => ["whyrank-cli", "whyrank-desktop"].includes(one.name)).map((one) => one.id);
  // The grammars are compiled from what their packages hold, and no package is linked (docs/adr/0035).
  const compiler = metadata.packages.find((one) => one.name === "whyrank-grammars");
  const grammars = nodes.get(compiler.id).deps.filter((dep) => dep.dep_kinds.some(({ kind }) => kind === "build"));
  const open = [...programs, ...grammars.map((dep) => dep.pkg)];
  const reached = new Set();
  while (open.length > 0) {
    const id = open.pop();
    if (reached.has(id)) continue;
    reached.add(id);
    const linked = nodes.get(id).deps.filter((dep) => dep.dep_kinds.some(({ kind }) => kind === null));
    open.push(...linked.map((dep) => dep.pkg));
  }
  const sums = new Map([...readFileSync(join(root, "Cargo.lock"), "utf8").matchAll(/name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"/g)].map(([, name, version, sum]) => [`${name}@${version}`, sum]));
  const used = metadata.packages.filter((one) => reached.has(one.id));
  return used.map((one) => ({ name: one.name, version: one.version, licence: one.license ?? (one.license_file && "see its text"), folder: dirname(one.manifest_path), sum: sums.get(`${one.name}@${one.version}`) }));
}

/** Packages of the window's page; not those that build or test it. */
export function modules() {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const shipped = Object.entries(lock.packages).filter(([path, one]) => path !== "" && !one.dev && !one.link);
  return shipped.map(([path, { version, license, integrity }]) => ({
    name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
    version,
    licence: license,
    folder: join(root, path),
    integrity,
  }));
}
