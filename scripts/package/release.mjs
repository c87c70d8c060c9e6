// What a release is called, and where its parts come from and go to.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { join } from "node:path";
import { targetFolder } from "../setup.mjs";
import { ask, root } from "../steps.mjs";

/** Systems that a release has archives for: Rust's name, npm's, and the ending of a program. */
export const SYSTEMS = {
  "x86_64-unknown-linux-gnu": { os: "linux", cpu: "x64", ending: "", archive: "tar.gz" },
  "aarch64-unknown-linux-gnu": { os: "linux", cpu: "arm64", ending: "", archive: "tar.gz" },
  "x86_64-apple-darwin": { os: "darwin", cpu: "x64", ending: "", archive: "tar.gz" },
  "aarch64-apple-darwin": { os: "darwin", cpu: "arm64", ending: "", archive: "tar.gz" },
  "x86_64-pc-windows-msvc": { os: "win32", cpu: "x64", ending: ".exe", archive: "zip" },
};

export const { version, description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
export const home = "https://github.com/whyrank/whyrank";
export const licence = "MIT OR Apache-2.0";

/** Rust's name of the system that this runs on. */
export const target = Object.entries(SYSTEMS).find(([, { os, cpu }]) => os === platform() && cpu === arch())?.[0];

/** What both programs are built of; the updater is in it where there is a key that new versions are signed for. */
export const features = ["whyrank-desktop/custom-protocol", ...(process.env.WHYRANK_UPDATER_KEY ? ["whyrank-desktop/updater"] : [])].join(",");

/** Where everything that is made here goes. */
export const dist = join(root, "dist");
/** Manual pages, completions and what else is packed more than once. */
export const shared = join(targetFolder(), "package");

export const archiveName = (system) => `whyrank-${version}-${system}`;
export const archiveFile = (system) => `${archiveName(system)}.${SYSTEMS[system].archive}`;

/** Commit and date of what is built, for `--version`. */
export function commit() {
  const line = ask("git", "-C", root, "log", "-1", "--format=%h %cs");
  const isChanged = execFileSync("git", ["-C", root, "status", "--porcelain", "--untracked-files=no"], { encoding: "utf8" }).trim() !== "";
  return line ? `${line.trim()}${isChanged ? ", with changes" : ""}` : "unknown";
}

export const sha256 = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
