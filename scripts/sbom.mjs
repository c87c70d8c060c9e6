// `npm run sbom [-- FILE]`: what the program and its window are made of, as CycloneDX 1.6, from Cargo's and npm's own records.
// Only what is shipped: no tools of development, and no dependencies of tests alone.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { crates, modules } from "./package/parts.mjs";
import { root } from "./steps.mjs";

const known = [
  ...crates().map(({ name, version, licence, sum }) => component(`pkg:cargo/${name}@${version}`, name, version, licence, sum && { alg: "SHA-256", content: sum })),
  ...modules().map(({ name, version, licence, integrity }) => {
    const sum = integrity?.startsWith("sha512-") && { alg: "SHA-512", content: Buffer.from(integrity.slice(7), "base64").toString("hex") };
    return component(`pkg:npm/${name.replace("@", "%40")}@${version}`, name, version, licence, sum);
  }),
];

function component(purl, name, version, license, hash) {
  return { type: "library", "bom-ref": purl, name, version, purl, ...(license ? { licenses: [{ expression: license.replaceAll("/", " OR ") }] } : {}), ...(hash ? { hashes: [hash] } : {}) };
}

const components = known.sort((one, other) => (one.purl < other.purl ? -1 : 1));
const unique = components.filter((one, at) => at === 0 || one.purl !== components[at - 1].purl);
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
// The same parts give the same file: the number is made of them, and no moment is written.
const digest = createHash("sha256").update(JSON.stringify(unique)).digest("hex");
const serial = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `a${digest.slice(17, 20)}`, digest.slice(20, 32)].join("-");
const bom = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  serialNumber: `urn:uuid:${serial}`,
  version: 1,
  metadata: { component: { type: "application", "bom-ref": "whyrank", name: "whyrank", ...(version ? { version } : {}) } },
  components: unique,
};
const path = process.argv[2] ? resolve(process.argv[2]) : join(root, "dist", "whyrank.cdx.json");
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, `${JSON.stringify(bom, null, 1)}\n`);
console.log(`${path}: ${unique.length} parts`);
