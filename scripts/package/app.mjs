// `.deb` and `.rpm` (on other systems: what Tauri makes there) of the window, with the command line, its manual and
// completions, made by Tauri's bundler.

import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { join, relative } from "node:path";
import { npm, targetFolder } from "../setup.mjs";
import { root, run } from "../steps.mjs";
import { dist, shared } from "./release.mjs";

const ICON_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];

export async function packApp(built, isRelease) {
  const kinds = { linux: "deb,rpm", darwin: "dmg", win32: "nsis" }[platform()];
  const args = ["run", "--silent", "tauri", "--", "bundle", "--bundles", kinds];
  if (!isRelease) args.push("--debug");
  if (platform() === "linux") args.push("--config", await linuxFiles(built));
  await run(npm, args);
  const folder = join(targetFolder(), isRelease ? "release" : "debug", "bundle");
  const endings = [".deb", ".rpm", ".dmg", ".exe"];
  for (const entry of readdirSync(folder, { recursive: true })) {
    if (endings.some((ending) => entry.endsWith(ending))) cpSync(join(folder, entry), join(dist, entry.split(/[\\/]/).at(-1)));
  }
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
