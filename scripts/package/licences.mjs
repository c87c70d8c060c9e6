// The licences of everything that the programs are made of: each text once, with the packages that stand under it.

import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StepError, say } from "../steps.mjs";
import { crates, modules } from "./parts.mjs";

const IS_LICENCE = /^(licen[cs]e|copying|notice|unlicense|copyright)/i;

export function writeLicences(file) {
  const packages = [...crates(), ...modules()];
  const without = packages.filter(({ licence }) => !licence).map(({ name }) => name);
  if (without.length > 0) throw new StepError(`no licence is named by ${without.join(", ")}`, "add it to deny.toml's clarifications, or drop the package");
  const texts = new Map();
  for (const one of packages) {
    for (const text of textsIn(one.folder)) {
      const known = texts.get(text) ?? [];
      known.push(`${one.name} ${one.version}`);
      texts.set(text, known);
    }
  }
  const list = packages.map(({ name, version, licence }) => `${name} ${version}: ${licence}`).sort();
  const bodies = [...texts].map(([text, names]) => `${"=".repeat(80)}\n${names.join(", ")}\n\n${text}\n`);
  writeFileSync(file, `What Whyrank is made of, and the licences of it.\n\n${list.join("\n")}\n\n${bodies.join("\n")}`);
  say(`${packages.length} packages, ${texts.size} texts`);
}

function textsIn(folder) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && IS_LICENCE.test(entry.name));
  return files.map((entry) => readFileSync(join(folder, entry.name), "utf8").replaceAll("\r\n", "\n").trim());
}
