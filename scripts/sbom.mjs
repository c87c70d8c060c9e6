// `npm run sbom`: what the program and its window are made of, as CycloneDX 1.6, from Cargo's and npm's own records.
// Only what is shipped: no tools of development, and no dependencies of tests alone.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

/** Packages that the two programs are linked of, without what only builds or tests them. */
function crates() {
  const metadata = JSON.parse(execFileSync("cargo", ["metadata", "--format-version", "1", "--locked", "--offline", "--features", "whyrank-desktop/custom-protocol"], { cwd: root, maxBuffer: 1 << 28 }));
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const packages = new Map(metadata.packages.map((one) => [one.id, one]));
  const reached = new Set();
  const open = metadata.packages.filter((one) => ["whyrank-cli", "whyrank-desktop"].includes(one.name)).map((one) => one.id);
  while (open.length > 0) {
    const id = open.pop();
    if (reached.has(id)) continue;
    reached.add(id);
    const linked = nodes.get(id).deps.filter((dep) => dep.dep_kinds.some(({ kind }) => kind === null));
    open.push(...linked.map((dep) => dep.pkg));
  }
  const sums = new Map([...readFileSync(join(root, "Cargo.lock"), "utf8").matchAll(/name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"/g)].map(([, name, version, sum]) => [`${name}@${version}`, sum]));
  return [...reached].map((id) => {
    const { name, version, license } = packages.get(id);
    const sum = sums.get(`${name}@${version}`);
    return component(`pkg:cargo/${name}@${version}`, name, version, license, sum && { alg: "SHA-256", content: sum });
  });
}

/** Packages of the window's page. */
function modules() {
  const shipped = Object.entries(lock.packages).filter(([path, one]) => path !== "" && !one.dev && !one.link);
  return shipped.map(([path, { version, license, integrity }]) => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const sum = integrity?.startsWith("sha512-") && { alg: "SHA-512", content: Buffer.from(integrity.slice(7), "base64").toString("hex") };
    return component(`pkg:npm/${name.replace("@", "%40")}@${version}`, name, version, license, sum);
  });
}

function component(purl, name, version, license, hash) {
  return { type: "library", "bom-ref": purl, name, version, purl, ...(license ? { licenses: [{ expression: license.replaceAll("/", " OR ") }] } : {}), ...(hash ? { hashes: [hash] } : {}) };
}

const components = [...crates(), ...modules()].sort((one, other) => (one.purl < other.purl ? -1 : 1));
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
const path = join(root, "dist", "whyrank.cdx.json");
mkdirSync(join(root, "dist"), { recursive: true });
writeFileSync(path, `${JSON.stringify(bom, null, 1)}\n`);
console.log(`${path}: ${unique.length} parts`);
