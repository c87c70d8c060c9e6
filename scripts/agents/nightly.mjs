// `npm run agents:nightly`: real agents from the registry, each in a home that is thrown away.
//
// Each is set up by `whyrank agents add`, asked for its own list of servers, looked for in our log of
// clients, and undone. Three have to connect. About 1.6 GB the first time; `-- claude-code codex`
// takes only those.

import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { whyrank } from "../setup.mjs";
import { StepError, main, runQuietly, say, step, tally } from "../steps.mjs";
import { place } from "./served.mjs";
import { install, modernNode, withNode } from "./tools.mjs";

const LEAST_CONNECTED = 3;
const TIMEOUT_S = 90;

/** Our id, the package, its command, and how it says that the server answered; some only list it. */
const AGENTS = [
  { id: "claude-code", packages: ["@anthropic-ai/claude-code@2.1.330"], command: "claude", says: /whyrank.*connected/i },
  { id: "qwen-code", packages: ["@qwen-code/qwen-code@0.24.4"], command: "qwen", says: /whyrank.*connected/i },
  { id: "opencode", packages: ["opencode-ai@1.18.33"], command: "opencode", says: /whyrank[\s\S]*connected/i },
  { id: "gemini-cli", packages: ["@google/gemini-cli@0.61.0"], command: "gemini", says: /whyrank.*connected/i },
  { id: "codex", packages: ["@openai/codex@0.169.0"], command: "codex", says: null },
  { id: "copilot-cli", packages: ["@github/copilot@1.0.102"], command: "copilot", says: null },
];

await main(
  async () => {
    const wanted = process.argv.slice(2);
    const agents = AGENTS.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
    if (agents.length === 0) throw new StepError(`none of ${wanted.join(", ")}`, `name some of ${AGENTS.map(({ id }) => id).join(", ")}`);
    const node = await modernNode();
    const rows = [];
    for (const agent of agents) {
      await step(agent.id, async () => {
        const row = await tryOut(agent, node).catch((error) => ({ id: agent.id, failed: error.message }));
        rows.push(row);
        if (row.failed) say(`✗ ${row.failed}`);
      });
    }
    report(rows, wanted.length > 0 ? 1 : LEAST_CONNECTED);
  },
  { closingLine: true },
);

async function tryOut({ id, packages, command, says }, node) {
  const tools = await install(`agent-${id}`, packages);
  const program = join(tools, "node_modules/.bin", command);
  const here = place();
  try {
    mkdirSync(here.home, { recursive: true });
    const env = bareEnvironment(here, node);
    const ask = (file, ...args) => within(TIMEOUT_S, runQuietly("env", ["-i", ...env, file, ...args], { cwd: here.repo }));
    const [version] = (await ask(program, "--version")).stdout.match(/\d+\.\d+\.\d+\S*/) ?? ["?"];
    const before = snapshot(here.home);
    const added = await ask(whyrank, "agents", "add", id, "--yes");
    if (added.status !== 0) throw new StepError(`whyrank agents add: ${added.stderr}`);
    const listed = await ask(program, "mcp", "list");
    const text = plain(listed.stdout + listed.stderr);
    say(text.trim().split("\n").slice(-12).join("\n"));
    const verified = JSON.parse((await ask(whyrank, "agents", "verify", id, "--json")).stdout).verified;
    const ticks = verified.flatMap((one) => one.ticks.map((tick) => tick.state));
    const undone = await ask(whyrank, "agents", "undo", id);
    return {
      id,
      version,
      listed: /whyrank/.test(text),
      connected: says?.test(text) ?? false,
      ticks,
      undone: undone.status === 0 && isBack(before, here.home),
    };
  } finally {
    here.close();
  }
}

/** Nothing of the caller's environment but the way to programs: no account, no settings. */
function bareEnvironment({ home }, node) {
  const { PATH } = withNode(node);
  return [
    `HOME=${home}`,
    `PATH=${PATH}`,
    "TERM=dumb",
    "NO_COLOR=1",
    "DISABLE_AUTOUPDATER=1",
    "GEMINI_CLI_TRUST_WORKSPACE=true",
  ];
}

/** Every file of the home with its text, but what whyrank itself keeps there. */
function snapshot(home) {
  const names = existsSync(home) ? readdirSync(home, { recursive: true }) : [];
  const files = names.map((name) => join(home, name)).filter((path) => !path.includes("/whyrank/") && statSync(path, { throwIfNoEntry: false })?.isFile());
  return new Map(files.map((path) => [path, readFileSync(path, "latin1")]));
}

/** Whether no file holds our entry any more, and those that were there before stand unchanged. */
function isBack(before, home) {
  const after = snapshot(home);
  const config = /\.(json|jsonc|toml|ya?ml)$/;
  const holdsOurs = [...after].some(([path, text]) => config.test(path) && text.includes(dirname(whyrank)));
  const missing = [...before.keys()].filter((path) => !after.has(path));
  return !holdsOurs && missing.length === 0;
}

function plain(text) {
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
}

async function within(seconds, work) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new StepError(`no answer within ${seconds} s`)), seconds * 1_000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function report(rows, least) {
  say("\n| agent | version | lists whyrank | says connected | file, server, client | undone |");
  say("|---|---|---|---|---|---|");
  for (const row of rows) {
    const mark = (yes) => (yes ? "yes" : "no");
    say(
      row.failed
        ? `| ${row.id} | | ${row.failed} | | | |`
        : `| ${row.id} | ${row.version} | ${mark(row.listed)} | ${mark(row.connected)} | ${row.ticks.join(", ")} | ${mark(row.undone)} |`,
    );
  }
  const connected = rows.filter((row) => row.connected);
  tally.passed = rows.filter((row) => !row.failed && row.listed && row.undone).length;
  tally.failed = rows.length - tally.passed;
  if (tally.failed > 0) process.exitCode = 1;
  if (connected.length < least) throw new StepError(`${connected.length} connected, ${least} have to`, "see what each said above");
}
