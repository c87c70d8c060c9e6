// `.deb` and `.rpm` (on other systems: what Tauri makes there) of the window, with the command line, its manual and
// completions, made by Tauri's bundler.

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { join, relative } from "node:path";
import { npm, targetFolder } from "../setup.mjs";
import { StepError, root, run } from "../steps.mjs";
import { installSystemPackages } from "../system-packages.mjs";
import { SYSTEMS, archiveName, dist, home, shared, target, version } from "./release.mjs";

const ICON_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];

/** What a system's own people install, and what a program that updates itself replaces itself with. */
const KINDS = { linux: ["deb", "rpm"], darwin: ["dmg"], win32: ["nsis"] };
const REPLACED = { linux: ["appimage", ".AppImage"], darwin: ["app", ".app.tar.gz"], win32: ["nsis", "-setup.exe"] };
const updates = Boolean(process.env.WHYRANK_UPDATER_KEY);

export async function packApp(built, isRelease) {
  await installSystemPackages({ packaging: true });
  const kinds = new Set([...KINDS[platform()], ...(updates ? [REPLACED[platform()][0]] : [])]);
  const args = ["run", "--silent", "tauri", "--", "bundle", "--bundles", [...kinds].join(",")];
  if (!isRelease) args.push("--debug");
  if (updates) args.push("--config", JSON.stringify({ bundle: { createUpdaterArtifacts: true } }));
  if (platform() === "linux") args.push("--config", await linuxFiles(built));
  await run(npm, args);
  for (const [name, file] of Object.entries(bundles(isRelease))) cpSync(file, join(dist, name));
}

/** Files that the bundler made, by the name that they are released under. */
function bundles(isRelease) {
  const folder = join(targetFolder(), isRelease ? "release" : "debug", "bundle");
  const endings = [".deb", ".rpm", ".dmg", ".exe", ".AppImage", ".app.tar.gz", ".sig"];
  const found = readdirSync(folder, { recursive: true }).filter((entry) => endings.some((ending) => entry.endsWith(ending)));
  // On macOS the file for the updater has the same name whatever the processor.
  const named = (entry) => entry.split(/[\\/]/).at(-1).replace(/^Whyrank\.app\.tar\.gz/, `${archiveName(target)}.app.tar.gz`);
  return Object.fromEntries(found.map((entry) => [named(entry), join(folder, entry)]));
}

/** This system's part of `latest.json`: what the program replaces itself with, and its signature. */
export function announce() {
  const name = readdirSync(dist).find((entry) => entry.endsWith(REPLACED[platform()][1]));
  const signature = name && join(dist, `${name}.sig`);
  if (!signature || !existsSync(signature)) throw new StepError("nothing is signed for the updater", "give the private key in TAURI_SIGNING_PRIVATE_KEY");
  const { os, cpu } = SYSTEMS[target];
  const system = `${os === "win32" ? "windows" : os}-${cpu === "x64" ? "x86_64" : "aarch64"}`;
  const entry = { [system]: { url: `${home}/releases/download/v${version}/${name}`, signature: readFileSync(signature, "utf8") } };
  writeFileSync(join(dist, `updater-${system}.json`), `${JSON.stringify(entry, null, 2)}\n`);
}

/** Where the package puts what Tauri does not know of: source by place, relative to Tauri's own folder. */
async function linuxFiles(built) {
  const files = { "/usr/bin/whyrank": join(built, "whyrank") };
  for (const page of readdirSync(join(shared, "man"))) files[`/usr/share/man/man1/${page}`] = join(shared, "man", page);
  files["/usr/share/bash-completion/completions/whyrank"] = join(shared, "completions/whyrank");
  files["/usr/share/zsh/vendor-completions/_whyrank"] = join(shared, "completions/_whyrank");
  files["/usr/share/fish/vendor_completions.d/whyrank.fish"] = join(shared, "completions/whyrank.fish");
  files["/usr/share/metainfo/dev.whyrank.desktop.metainfo.xml"] = join(root, "packaging/linux/dev.whyrank.desktop.metainfo.xml");
  files["/usr/share/doc/whyrank/copyright"] = join(root, "packaging/linux/copyright");
  files["/usr/share/doc/whyrank/THIRD-PARTY-LICENSES.txt"] = join(dist, "THIRD-PARTY-LICENSES.txt");
  files["/usr/share/icons/hicolor/scalable/apps/whyrank-desktop.svg"] = join(root, "icons/icon.svg");
  const below = Object.fromEntries(Object.entries(files).map(([place, source]) => [place, relative(join(root, "src-tauri"), source)]));
  const linux = {
    deb: { files: below, section: "devel", priority: "optional", recommends: ["git"], desktopTemplate: "../packaging/linux/whyrank.desktop" },
    rpm: { files: below, desktopTemplate: "../packaging/linux/whyrank.desktop" },
  };
  const file = join(shared, "tauri.linux.json");
  mkdirSync(shared, { recursive: true });
  writeFileSync(file, JSON.stringify({ bundle: { icon: await icons(), license: "MIT OR Apache-2.0", linux } }, null, 1));
  return file;
}

/** The icon in every size that desktops ask for. */
async function icons() {
  const folder = join(shared, "icons");
  const sizes = ICON_SIZES.flatMap((size) => ["--png", String(size)]);
  await run(npm, ["run", "--silent", "tauri", "--", "icon", join(root, "icons/icon.svg"), "--output", folder, ...sizes]);
  return ICON_SIZES.map((size) => relative(join(root, "src-tauri"), join(folder, `${size}x${size}.png`)));
}
