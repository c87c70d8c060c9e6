// The program with its manual and completions, as `cargo binstall`, Homebrew, Scoop and people take it.

import { chmodSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { root, run } from "../steps.mjs";
import { archiveFile, archiveName, dist, shared, target } from "./release.mjs";

export async function packArchive(whyrank) {
  const stage = join(shared, "archive");
  const folder = join(stage, archiveName(target));
  mkdirSync(folder, { recursive: true });
  cpSync(whyrank, join(folder, basename(whyrank)));
  chmodSync(join(folder, basename(whyrank)), 0o755);
  for (const name of ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"]) cpSync(join(root, name), join(folder, name));
  for (const name of ["man", "completions"]) cpSync(join(shared, name), join(folder, name), { recursive: true });
  const file = join(dist, archiveFile(target));
  // bsdtar writes zip, too; it comes with Windows and macOS.
  const how = file.endsWith(".zip") ? ["-a", "-cf"] : ["--owner=0", "--group=0", "--sort=name", "-czf"];
  await run("tar", [...how, file, "-C", stage, archiveName(target)]);
  rmSync(stage, { recursive: true });
}
