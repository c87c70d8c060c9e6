// `npm run conformance`: the official suite against our server over HTTP.
//
// Every scenario that a revision requires, and those that the suite runs beside them (extensions, and
// what came after its release), run against `whyrank-lab conformance`, the server with fixtures around it; those
// that need no fixtures run against `whyrank` as it is. None may fail, required or not. With
// `--plain` only the latter.

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build, targetFolder, whyrank, whyrankLab } from "../setup.mjs";
import { main, root, runQuietly, say, step, tally } from "../steps.mjs";
import { door, place, serve } from "./served.mjs";
import { install, modernNode, script } from "./tools.mjs";

const SUITE = "@modelcontextprotocol/conformance";
const results = join(root, "test-results/conformance");

/** Scenarios that any server can pass. */
const PLAIN = {
  "2025-11-25": [
    "server-initialize",
    "ping",
    "completion-complete",
    "tools-list",
    "server-sse-multiple-streams",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
    "server-session-lifecycle",
  ],
  "2026-07-28": [
    "completion-complete",
    "tools-list",
    "server-sse-multiple-streams",
    "resources-list",
    "sep-2164-resource-not-found",
    "prompts-list",
    "dns-rebinding-protection",
    "caching",
    "http-header-validation",
    "input-required-result-unsupported-methods",
  ],
};
const REVISIONS = Object.keys(PLAIN);

await main(
  async () => {
    const plainOnly = process.argv.includes("--plain");
    const node = await modernNode();
    const suite = script(await install("conformance"), SUITE, "conformance");
    rmSync(results, { recursive: true, force: true });
    await step("scenarios without fixtures, the build as it is", () =>
      withServer(whyrank, async (url) => {
        for (const revision of REVISIONS) {
          for (const scenario of PLAIN[revision]) {
            const args = ["--scenario", scenario, "--spec-version", revision];
            score(await runSuite({ node, suite, url, args, name: `plain-${revision}/${scenario}` }));
          }
        }
      }),
    );
    if (plainOnly) return;
    await step("build of the server with fixtures", () => build("whyrank-lab"));
    for (const revision of REVISIONS) {
      await step(`every scenario of ${revision}`, () =>
        withServer(
          whyrankLab,
          async (url) => {
            const args = ["--requirements", revision];
            score(await runSuite({ node, suite, url, args, name: revision }));
          },
          ["conformance"],
        ),
      );
    }
  },
  { closingLine: true },
);

async function withServer(program, act, serverArgs) {
  const here = place();
  const server = await serve(program, here, serverArgs);
  const entry = await door(server);
  try {
    await act(entry.url);
  } finally {
    await entry.close();
    await server.close();
    here.close();
  }
}

/** Runs the suite and reads what it left; its own exit code says whether what is required passed. */
async function runSuite({ node, suite, url, args, name }) {
  const folder = join(results, name);
  const all = [suite, "server", "--url", url, ...args, "--output-dir", folder];
  const ran = await runQuietly(node, all, { cwd: targetFolder() });
  return { ok: ran.status === 0, name, checks: checksIn(folder), output: ran.stdout + ran.stderr };
}

function checksIn(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith("checks.json"));
  return names.flatMap((name) => {
    const checks = JSON.parse(readFileSync(join(folder, name), "utf8"));
    return checks.map((check) => ({ ...check, scenario: scenarioOf(name) }));
  });
}

/** Folders are named `server-SCENARIO-TIME`. */
function scenarioOf(path) {
  const folder = path.split(/[\\/]/).at(-2) ?? "";
  return folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
}

/** The suite lets what is not required fail; here that counts as well. Warnings are named. */
function score({ ok, name, checks, output }) {
  const of = (status) => checks.filter((check) => check.status === status);
  const failed = of("FAILURE");
  const isFine = ok && failed.length === 0;
  const counts = [`${of("SUCCESS").length} checks passed`, `${failed.length} failed`];
  if (of("SKIPPED").length > 0) counts.push(`${of("SKIPPED").length} skipped`);
  say(`${isFine ? "✓" : "✗"} ${name}: ${counts.join(", ")}`);
  for (const check of of("WARNING")) say(`    warning: ${check.scenario}: ${check.id}: ${check.errorMessage ?? ""}`);
  if (isFine) {
    tally.passed += 1;
    return;
  }
  tally.failed += 1;
  process.exitCode = 1;
  for (const check of failed) say(`    ${check.scenario}: ${check.id}: ${check.errorMessage ?? ""}`);
  if (!ok) say(output.split("\n").slice(-40).join("\n"));
}
