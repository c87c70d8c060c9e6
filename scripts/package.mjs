// `npm run package`: everything that a release of this system consists of, into `dist/`, with checksums, licences, a bill
// of materials and a table of sizes. `--check` also installs it in clean roots and homes and uses it there (Linux, as
// root); `--profile dev` packs the programs of `npm start` to try the packing itself. Nothing is published.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { setUpBuild, targetFolder } from "./setup.mjs";
import { StepError, main, root, run, say, step, tally } from "./steps.mjs";
import { packArchive } from "./package/archive.mjs";
import { check } from "./package/check.mjs";
import { announce, packApp } from "./package/app.mjs";
import { writeLicences } from "./package/licences.mjs";
import { writeManifests } from "./package/manifests.mjs";
import { packNpm } from "./package/npm.mjs";
import { commit, dist, features, sha256, shared, target } from "./package/release.mjs";
import { packWheel } from "./package/wheel.mjs";

const { values } = parseArgs({
  options: { profile: { type: "string", default: "release" }, check: { type: "boolean" }, "check-only": { type: "boolean" }, skip: { type: "string", default: "" } },
});
const skipped = new Set(values.skip.split(",").filter(Boolean));
const isRelease = values.profile === "release";
const built = join(targetFolder(), isRelease ? "release" : "debug");
const ending = platform() === "win32" ? ".exe" : "";
const whyrank = join(built, `whyrank${ending}`);

await main(
  async () => {
    if (!target) throw new StepError("no release is made for this system", "see SYSTEMS in scripts/package/release.mjs");
    if (!values["check-only"]) await pack();
    if (values.check || values["check-only"]) await check(skipped);
  },
  { closingLine: true },
);

async function pack() {
  rmSync(dist, { recursive: true, force: true });
  rmSync(shared, { recursive: true, force: true });
  for (const folder of [dist, shared]) mkdirSync(folder, { recursive: true });
  if (isRelease) await setUpBuild(buildRelease);
  await part("manual pages and completions", () => describe());
  await part("licences", () => writeLicences(join(dist, "THIRD-PARTY-LICENSES.txt")));
  await part("archive", () => packArchive(whyrank));
  await part("app", () => packApp(built, isRelease));
  if (process.env.WHYRANK_UPDATER_KEY) await part("announcement for the updater", announce);
  await part("npm", () => packNpm(whyrank));
  await part("wheel", () => packWheel(whyrank, isRelease));
  await part("bundle for agents", () => run(process.execPath, [join(root, "scripts/agents/packaging.mjs")], { env: { WHYRANK_PROGRAM: whyrank, WHYRANK_OUT: dist } }));
  await part("bill of materials", () => run(process.execPath, [join(root, "scripts/sbom.mjs"), join(dist, "whyrank.cdx.json")]));
  await part("manifests", () => writeManifests(dist));
  await step("sums and sizes", () => writeTables());
}

async function part(name, act) {
  if (skipped.has(name)) return say(`-- ${name}: left out`);
  await step(name, act);
  tally.passed += 1;
}

async function buildRelease() {
  const env = { WHYRANK_COMMIT: commit() };
  // One after the other: the window's features are none of the command line's, and the wheel is built from the same parts.
  await run("cargo", ["build", "--release", "--locked", "-p", "whyrank-cli"], { env });
  await run("cargo", ["build", "--release", "--locked", "-p", "whyrank-desktop", "--features", features], { env });
}

function describe() {
  execFileSync(whyrank, ["man", join(shared, "man")]);
  const folder = join(shared, "completions");
  mkdirSync(folder);
  const shells = { bash: "whyrank", zsh: "_whyrank", fish: "whyrank.fish", powershell: "whyrank.ps1" };
  for (const [shell, name] of Object.entries(shells)) writeFileSync(join(folder, name), execFileSync(whyrank, ["completions", shell]));
  say(`${readdirSync(join(shared, "man")).length} pages`);
}

function writeTables() {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const named = files.map((file) => [relative(dist, file).replaceAll("\\", "/"), file]);
  writeFileSync(join(dist, "SHA256SUMS"), named.map(([name, file]) => `${sha256(file)}  ${name}\n`).join(""));
  const rows = named.map(([name, file]) => `| ${name} | ${(statSync(file).size / 1e6).toFixed(1)} |\n`);
  const programs = ["whyrank", "whyrank-desktop"].map((name) => join(built, name + ending)).filter((file) => existsSync(file));
  rows.push(...programs.map((file) => `| ${relative(root, file)} (unpacked) | ${(statSync(file).size / 1e6).toFixed(1)} |\n`));
  writeFileSync(join(dist, "SIZES.md"), `| file | MB |\n|---|---|\n${rows.join("")}`);
  for (const row of rows) say(row.trim());
}
