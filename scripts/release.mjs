// What a release's workflow does beside building, so that it can be tried here:
//
//   node scripts/release.mjs check TAG           the tag, the versions and the changelog agree
//   node scripts/release.mjs notes TAG           the section of the changelog
//   node scripts/release.mjs gather PARTS OUT    the folders `dist` of all systems as one release

import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { writeManifests } from "./package/manifests.mjs";
import { sha256, version } from "./package/release.mjs";
import { StepError, ask, main, root, say } from "./steps.mjs";

const commands = { check, notes, gather };
const [name, ...given] = process.argv.slice(2);

if (name === "notes") process.stdout.write(notes(...given));
else
  await main(
    async () => {
      if (!commands[name]) throw new StepError(`no such command: ${name}`, `one of ${Object.keys(commands).join(", ")}`);
      return commands[name](...given);
    },
    { closingLine: false },
  );

function check(tag) {
  const manifest = JSON.parse(ask("cargo", "metadata", "--format-version", "1", "--no-deps", "--manifest-path", join(root, "Cargo.toml")));
  const read = (path) => JSON.parse(readFileSync(join(root, path), "utf8")).version;
  const versions = { "package.json": version, "packaging/server.json": read("packaging/server.json"), "packaging/mcpb/manifest.json": read("packaging/mcpb/manifest.json"), "packaging/vscode/package.json": read("packaging/vscode/package.json") };
  for (const one of manifest.packages) versions[one.name] = one.version;
  const metainfo = readFileSync(join(root, "packaging/linux/dev.whyrank.desktop.metainfo.xml"), "utf8");
  versions["metainfo.xml"] = metainfo.match(/<release version="(.+?)"/)?.[1];
  const wrong = Object.entries(versions).filter(([, one]) => `v${one}` !== tag);
  if (wrong.length > 0) throw new StepError(`${tag} is not the version of ${wrong.map(([one, other]) => `${one} (${other})`).join(", ")}`, "set the version everywhere, then move the tag");
  notes(tag);
  say(`✓ ${tag}: ${Object.keys(versions).length} versions and the changelog agree`);
}

/** The lines below `## [1.2.3]` or `## 1.2.3`, up to the next version. */
function notes(tag) {
  const lines = readFileSync(join(root, "CHANGELOG.md"), "utf8").split("\n");
  const isHead = (line) => /^## /.test(line);
  const from = lines.findIndex((line) => isHead(line) && line.includes(tag.replace(/^v/, "")));
  if (from < 0) throw new StepError(`CHANGELOG.md has no section for ${tag}`, "give the lines under Unreleased the version and the day");
  const rest = lines.slice(from + 1);
  const to = rest.findIndex(isHead);
  return `${rest
    .slice(0, to < 0 ? undefined : to)
    .join("\n")
    .trim()}\n`;
}

/** `files` for the release's page, `npm` and `wheels` for the registries, one table of sums, manifests of all systems. */
function gather(parts, out) {
  const place = { ".tgz": "npm", ".whl": "wheels" };
  const platforms = {};
  for (const folder of ["files", "npm", "wheels"]) mkdirSync(join(out, folder), { recursive: true });
  for (const system of readdirSync(parts)) {
    for (const entry of readdirSync(join(parts, system), { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (!entry.isFile() || /^(SHA256SUMS|SIZES\.md)$/.test(entry.name) || file.includes("manifests")) continue;
      if (/^updater-.+\.json$/.test(entry.name)) {
        Object.assign(platforms, JSON.parse(readFileSync(file, "utf8")));
        continue;
      }
      const ending = Object.keys(place).find((one) => entry.name.endsWith(one));
      copyFileSync(file, join(out, place[ending] ?? "files", entry.name));
    }
  }
  writeManifests(join(out, "files"));
  if (Object.keys(platforms).length > 0) announce(platforms, join(out, "files", "latest.json"));
  writeFileSync(join(out, "server.json"), `${JSON.stringify(registryEntry(out), null, 2)}\n`);
  const files = readdirSync(join(out, "files"), { withFileTypes: true }).filter((entry) => entry.isFile());
  const sums = files.map((entry) => `${sha256(join(out, "files", entry.name))}  ${basename(entry.name)}\n`).sort();
  writeFileSync(join(out, "files", "SHA256SUMS"), sums.join(""));
  say(`${files.length} files, ${readdirSync(join(out, "npm")).length} npm packages, ${readdirSync(join(out, "wheels")).length} wheels`);
}

/** What programs that update themselves ask for; without a signature there is nothing to announce. */
function announce(platforms, file) {
  const announced = { version, notes: notes(`v${version}`), pub_date: new Date().toISOString(), platforms };
  writeFileSync(file, `${JSON.stringify(announced, null, 2)}\n`);
}

/** The entry for the registry of MCP servers: the bundle of each system, npm and PyPI. */
function registryEntry(out) {
  const entry = JSON.parse(readFileSync(join(root, "packaging/server.json"), "utf8"));
  const bundles = readdirSync(join(out, "files")).filter((file) => file.endsWith(".mcpb"));
  const transport = { type: "stdio" };
  const packages = bundles.map((file) => ({
    registryType: "mcpb",
    identifier: `${entry.repository.url}/releases/download/v${version}/${file}`,
    version,
    fileSha256: sha256(join(out, "files", file)),
    transport,
  }));
  const runArguments = [{ type: "positional", value: "mcp" }];
  packages.push({ registryType: "npm", identifier: "whyrank", version, transport, packageArguments: runArguments });
  packages.push({ registryType: "pypi", identifier: "whyrank", version, transport, packageArguments: runArguments });
  return { ...entry, packages };
}
