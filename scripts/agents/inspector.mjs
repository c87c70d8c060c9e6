// `npm run inspector`: the official inspector, strict about schemas, over stdio and over HTTP.

import { whyrank } from "../setup.mjs";
import { main, runQuietly, say, step, tally } from "../steps.mjs";
import { place, serve } from "./served.mjs";
import { install, modernNode, script, withNode } from "./tools.mjs";

const INSPECTOR = "@modelcontextprotocol/inspector";
const CALLS = [
  ["tools/list", "--strict"],
  ["prompts/list"],
  ["resources/list"],
  ["resources/templates/list"],
  ["tools/call", "--tool-name", "status"],
  ["tools/call", "--tool-name", "search", "--tool-arg", "query=value added tax"],
];

await main(
  async () => {
    const node = await modernNode();
    const inspector = script(await install("inspector"), INSPECTOR, "mcp-inspector");
    const here = place();
    const server = await serve(whyrank, here);
    const ask = (target, call) => {
      const [method, ...more] = call;
      const args = [inspector, "--cli", ...target, "--method", method, ...more];
      return runQuietly(node, args, { env: { ...here.env, ...withNode(node) } });
    };
    const header = ["--header", `Authorization: Bearer ${server.token}`];
    const targets = ["core", "standard", "full"].flatMap((profile) => [
      [`stdio ${profile}`, [whyrank, "mcp", "--repo", here.repo, "--profile", profile, "-e", `WHYRANK_HOME=${here.home}`]],
      [`http ${profile}`, [server.url + (profile === "standard" ? "" : `/${profile}`), "--transport", "http", ...header]],
    ]);
    try {
      for (const [name, target] of targets) {
        await step(name, async () => {
          for (const call of CALLS) judge(call, await ask(target, call));
        });
      }
    } finally {
      await server.close();
      here.close();
    }
  },
  { closingLine: true },
);

/** Clean means: it ended with 0, said nothing on stderr, and a call did not fail. */
function judge(call, { status, stdout, stderr }) {
  const failed = status !== 0 || stderr.trim() !== "" || /"isError": ?true/.test(stdout);
  say(`${failed ? "✗" : "✓"} ${call.join(" ")}: ${stdout.length} bytes`);
  if (!failed) {
    tally.passed += 1;
    return;
  }
  tally.failed += 1;
  process.exitCode = 1;
  say(`exit ${status}\n${stderr}\n${stdout.slice(0, 2000)}`);
}
