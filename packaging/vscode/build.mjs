// `npm run build`: the extension as one file, with the licences of what is in it. With `--parts`: what tests import.

import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const common = { bundle: true, platform: "node", target: "node20", logLevel: "warning" };

/** Parts that know nothing of the editor. */
const PARTS = ["arguments", "change", "hits", "memo", "program", "repository", "text", "turns"];

if (process.argv.includes("--parts")) await buildParts();
else await buildExtension();

async function buildParts() {
  const entryPoints = PARTS.map((name) => `src/${name}.ts`);
  await build({
    ...common,
    entryPoints,
    outdir: "parts",
    format: "esm",
    outExtension: { ".js": ".mjs" },
  });
}

async function buildExtension() {
  const { metafile } = await build({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    format: "cjs",
    external: ["vscode"],
    minify: true,
    metafile: true,
    legalComments: "none",
  });
  writeFileSync("dist/THIRD-PARTY-LICENSES.txt", licences(Object.keys(metafile.inputs)));
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"])
    copyFileSync(`../../${name}`, `dist/${name}`);
  // The packer looks for these beside the manifest.
  copyFileSync("../../LICENSE", "LICENSE");
  copyFileSync("../../icons/128x128.png", "icon.png");
}

function licences(inputs) {
  const found = inputs.map((file) => file.match(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]);
  return [...new Set(found.filter(Boolean))].sort().map(licence).join("\n");
}

function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} brings no text of its licence (${license})`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}
