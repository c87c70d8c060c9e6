// Manifests of package managers, from their templates in `packaging/`, with version, addresses and sums of the archives.
// A release gathers the archives of all systems in one folder first; alone, `node scripts/package/manifests.mjs FOLDER`.

import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, say } from "../steps.mjs";
import { archiveFile, archiveName, home, sha256, version } from "./release.mjs";

const MANAGERS = ["homebrew", "scoop", "winget", "aur"];

/** One whose archives are not all there is left out: a manifest without a sum installs nothing. */
export function writeManifests(folder) {
  for (const manager of MANAGERS) {
    const templates = readdirSync(join(root, "packaging", manager));
    const texts = templates.map((name) => readFileSync(join(root, "packaging", manager, name), "utf8"));
    const missing = new Set(texts.flatMap((text) => systemsIn(text)).filter((system) => !existsSync(join(folder, archiveFile(system)))));
    if (missing.size > 0) {
      say(`${manager}: left out; there is no archive for ${[...missing].join(", ")}`);
      continue;
    }
    const out = join(folder, "manifests", manager);
    mkdirSync(out, { recursive: true });
    templates.forEach((name, at) => writeFileSync(join(out, name), filled(texts[at], folder)));
    say(`${manager}: ${templates.join(", ")}`);
  }
}

const systemsIn = (text) => [...text.matchAll(/\{\{\w+:([\w-]+)\}\}/g)].map(([, system]) => system);

function filled(text, folder) {
  const values = {
    url: (system) => `${home}/releases/download/v${version}/${archiveFile(system)}`,
    sha256: (system) => sha256(join(folder, archiveFile(system))),
    folder: archiveName,
  };
  return text.replaceAll("{{version}}", version).replace(/\{\{(\w+):([\w-]+)\}\}/g, (_, what, system) => values[what](system));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeManifests(process.argv[2]);
