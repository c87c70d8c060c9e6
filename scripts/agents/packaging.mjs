// `npm run package:agents`: the bundle for agents (`.mcpb`) and the registry's entry (`server.json`)
// for this system, checked. With `--check` nothing is packed.
//
// The bundle takes the release build where there is one (`cargo build --release -p whyrank-cli`).

import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { basename, join } from "node:path";
import { targetFolder, whyrank } from "../setup.mjs";
import { StepError, main, root, run, say, step, tally } from "../steps.mjs";
import { install, modernNode, script } from "./tools.mjs";

const packaging = join(root, "packaging");
const out = process.env.WHYRANK_OUT ?? join(targetFolder(), "agent-packages");

await main(
  async () => {
    const entry = JSON.parse(readFileSync(join(packaging, "server.json"), "utf8"));
    const manifest = JSON.parse(readFileSync(join(packaging, "mcpb/manifest.json"), "utf8"));
    const node = await modernNode();
    const mcpb = script(await install("mcpb"), "@anthropic-ai/mcpb", "mcpb");
    await step("manifest", () => run(node, [mcpb, "validate", join(packaging, "mcpb/manifest.json")]));
    tally.passed += 1;
    await step("registry entry", () => checkEntry(entry, manifest));
    if (process.argv.includes("--check")) return;
    const bundle = await step("bundle", () => pack(node, mcpb));
    const full = { ...entry, packages: [packageOf(entry, bundle)] };
    await step("registry entry with the bundle", () => checkEntry(full, manifest));
    writeFileSync(join(out, "server.json"), `${JSON.stringify(full, null, 2)}\n`);
    say(`${bundle}\n${join(out, "server.json")}`);
  },
  { closingLine: true },
);

async function pack(node, mcpb) {
  const released = join(targetFolder(), "release", basename(whyrank));
  const program = process.env.WHYRANK_PROGRAM ?? (existsSync(released) ? released : whyrank);
  say(`with ${program}, ${Math.round(statSync(program).size / 1e6)} MB`);
  const stage = join(targetFolder(), "agent-packages", "stage");
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(join(stage, "server"), { recursive: true });
  copyFileSync(join(packaging, "mcpb/manifest.json"), join(stage, "manifest.json"));
  copyFileSync(program, join(stage, "server", basename(whyrank)));
  chmodSync(join(stage, "server", basename(whyrank)), 0o755);
  const bundle = join(out, `whyrank-${platform()}-${arch()}.mcpb`);
  await run(node, [mcpb, "pack", stage, bundle]);
  await run(node, [mcpb, "info", bundle]);
  tally.passed += 1;
  return bundle;
}

/** Where a release puts the bundle, and what a client checks it by. */
function packageOf({ version, repository }, bundle) {
  return {
    registryType: "mcpb",
    identifier: `${repository.url}/releases/download/v${version}/${basename(bundle)}`,
    version,
    fileSha256: createHash("sha256").update(readFileSync(bundle)).digest("hex"),
    transport: { type: "stdio" },
  };
}

/** Against the schema that the entry names, or a copy of it that SERVER_SCHEMA names; where neither can
 *  be had, against its rules as we know them. */
async function checkEntry(entry, manifest) {
  const faults = rules(entry, manifest);
  const copy = process.env.SERVER_SCHEMA;
  const schema = copy ? JSON.parse(readFileSync(copy, "utf8")) : await fetched(entry.$schema);
  if (copy && schema.$id !== entry.$schema) faults.push(`${copy} is ${schema.$id}, the entry names ${entry.$schema}`);
  if (schema) faults.push(...(await schemaFaults(schema, entry)));
  else say(`note: ${entry.$schema} cannot be had; only the rules that we know were checked (SERVER_SCHEMA=FILE names a copy)`);
  if (faults.length > 0) throw new StepError(`packaging/server.json: ${faults.join("; ")}`, "fix it");
  say(`✓ ${entry.name} ${entry.version}${schema ? " fits its schema" : ""}`);
  tally.passed += 1;
}

/** What the schema of 2025-12-11 and the registry's own checks ask of such an entry. */
function rules(entry, manifest) {
  const { name = "", title = "", description = "", version = "", repository = {}, packages = [] } = entry;
  const isWhole = (one) => one.registryType && one.identifier && one.transport?.type;
  const checks = [
    [/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(name) && name.length <= 200, "name has the form owner/server"],
    [description.length > 0 && description.length <= 100, "description has 1 to 100 characters"],
    [title.length > 0 && title.length <= 100, "title has 1 to 100 characters"],
    [/^https:/.test(repository.url) && repository.source, "repository has an address and a source"],
    [packages.every(isWhole), "a package has registryType, identifier and transport"],
    [/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version), "version is one version"],
    [version === manifest.version, "version is that of the bundle"],
    [packages.every((one) => one.registryType !== "mcpb" || /^[a-f0-9]{64}$/.test(one.fileSha256)), "a bundle has its sha256"],
    [packages.every((one) => one.identifier.includes("mcp")), "a bundle's address has mcp in it"],
  ];
  return checks.filter(([holds]) => !holds).map(([, rule]) => `not so: ${rule}`);
}

async function schemaFaults(schema, entry) {
  const folder = await install("schema");
  const { createRequire } = await import("node:module");
  const load = createRequire(join(folder, "package.json"));
  // The registry's schemas are of draft 7; a later one may not be.
  const Ajv = load(schema.$schema?.includes("2020-12") ? "ajv/dist/2020" : "ajv").default;
  const ajv = new Ajv({ strict: false, allErrors: true });
  load("ajv-formats").default(ajv);
  const check = ajv.compile(schema);
  return check(entry) ? [] : check.errors.map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
}

async function fetched(url) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}
