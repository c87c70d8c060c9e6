// `npm run servers -- REPOSITORY LANGUAGE -- SERVER…`: asks `whyrank lsp` and another language server for the
// definitions and references of names drawn by lot, and prints where they agree, where not, and what each costs.
// Disagreements are for reading: either side may be wrong.
//
//   npm run servers -- ../black python -- pyright-langserver --stdio
//
// Options: --names 200, --seed 1, --folder src, --list 20, --settle 60 (seconds before the first question, whose time
// is not told then; clangd reads a repository in the background). WHYRANK_BIN names the program, else target/debug/whyrank.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { StepError, main, root as ours, runQuietly, say } from "../steps.mjs";
import { Server } from "./client.mjs";
import { LANGUAGES, drawHeads, drawNames, filesOf } from "./names.mjs";

/** Verdicts to read, first those where Whyrank may be wrong. */
const READ = ["different", "whyrank alone", "other alone"];

await main(compare, { closingLine: false });

async function compare() {
  const { repository, language, command, options } = asked(process.argv.slice(2));
  const files = filesOf(repository, language, options.folder);
  if (files.length === 0) throw new StepError(`no ${language} in ${repository}`, "name another language or --folder");
  const home = mkdtempSync(join(tmpdir(), "servers-"));
  const program = resolve(process.env.WHYRANK_BIN ?? join(ours, "target/debug/whyrank"));
  const env = { WHYRANK_HOME: home };
  const indexed = await runQuietly(program, ["index", repository, "--no-vectors"], { env });
  if (indexed.status !== 0) throw new StepError(`${program} could not index: ${indexed.stderr}`, "build the program first: cargo build");
  const started = Date.now();
  const sides = { own: new Server([program, "lsp"], { root: repository, env }), other: new Server(command, { root: repository }) };
  try {
    await Promise.all([sides.own.start({ certainOnly: true }), sides.other.start()]);
    const asking = { repository, language, files, sides, started, ...options };
    await settled(asking);
    await definitions(asking);
    await references(asking);
    for (const server of Object.values(sides)) if (server.lastError) say(`${server.name} said at last: ${server.lastError}`);
    say(`memory: whyrank ${sides.own.memory()} MB, ${sides.other.name} ${sides.other.memory()} MB`);
  } finally {
    sides.own.stop();
    sides.other.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

function asked(given) {
  const cut = given.indexOf("--");
  const { values, positionals } = parseArgs({
    args: cut < 0 ? given : given.slice(0, cut),
    allowPositionals: true,
    options: { names: { type: "string", default: "200" }, seed: { type: "string", default: "1" }, folder: { type: "string", default: "" }, list: { type: "string", default: "20" }, settle: { type: "string", default: "0" } },
  });
  const [repository, language] = positionals;
  const command = cut < 0 ? [] : given.slice(cut + 1);
  if (!repository || !LANGUAGES[language] || command.length === 0)
    throw new StepError("a repository, a language and a server are needed", `npm run servers -- ../black python -- pyright-langserver --stdio; languages: ${Object.keys(LANGUAGES).join(", ")}`);
  const options = { n: Number(values.names), seed: Number(values.seed), folder: values.folder, list: Number(values.list), settle: Number(values.settle) };
  return { repository: realpathSync(repository), language, command, options };
}

/** Time for servers that go on reading a repository in the background once a file is open. */
async function settled({ files, language, sides, settle }) {
  if (settle === 0) return;
  for (const server of Object.values(sides)) server.open(files[0].uri, LANGUAGES[language].id, files[0].text);
  await new Promise((done) => setTimeout(done, settle * 1000));
}

/** Definitions of names in code: the lines that each side leads to. */
async function definitions(asking) {
  const counts = { same: 0, overlap: 0, different: 0, "whyrank alone": 0, "other alone": 0, outside: 0, neither: 0 };
  const spent = { own: 0, other: 0 };
  const read = [];
  for (const name of drawNames(asking.files, asking.language, asking.seed).slice(0, asking.n)) {
    const [own, all] = await both(asking, name, "textDocument/definition", {}, spent);
    const other = all.filter((place) => place.path !== null);
    const kind = verdict(lines(own), lines(other), all.length > other.length);
    counts[kind]++;
    if (READ.includes(kind)) read.push([kind, name, lines(own), lines(other)]);
  }
  const right = counts.same + counts.overlap;
  const wrong = counts.different + counts["whyrank alone"];
  say(`definitions: ${Object.entries(counts).map(([kind, n]) => `${kind} ${n}`).join(", ")}`);
  say(`  precision ${share(right, right + wrong)}, recall ${share(right, right + counts.different + counts["other alone"])}; ${perAsk(spent, asking.n)}`);
  list(read.sort(([one], [other]) => READ.indexOf(one) - READ.indexOf(other)), asking.list);
}

function verdict(own, other, isOutside) {
  if (own.length === 0 && other.length === 0) return isOutside ? "outside" : "neither";
  if (own.length === 0) return "other alone";
  if (other.length === 0) return "whyrank alone";
  const shared = own.filter((place) => other.includes(place)).length;
  if (shared === own.length && shared === other.length) return "same";
  return shared > 0 ? "overlap" : "different";
}

/** References of definitions: each place. Whyrank leaves out what is not certain. */
async function references(asking) {
  const heads = await drawHeads(asking.sides.other, asking.files, asking.language, { seed: asking.seed, n: Math.ceil(asking.n / 4) });
  const total = { agreed: 0, extra: 0, missed: 0 };
  const spent = { own: 0, other: 0 };
  const read = [];
  for (const name of heads) {
    const [own, other] = (await both(asking, name, "textDocument/references", { context: { includeDeclaration: false } }, spent)).map((places) => inLanguage(places, asking));
    const extra = own.filter((place) => !other.includes(place));
    const missed = other.filter((place) => !own.includes(place));
    total.agreed += own.length - extra.length;
    total.extra += extra.length;
    total.missed += missed.length;
    if (extra.length > 0) read.push(["extra", name, extra, []]);
    if (missed.length > 0) read.push([`missed ${missed.length} of ${other.length}`, name, [], missed]);
  }
  say(`references of ${heads.length} definitions: agreed ${total.agreed}, extra ${total.extra}, missed ${total.missed}`);
  say(`  precision ${share(total.agreed, total.agreed + total.extra)}, recall ${share(total.agreed, total.agreed + total.missed)}; ${perAsk(spent, heads.length)}`);
  list(read, asking.list);
}

function inLanguage(places, { language }) {
  const own = places.filter((place) => place.path !== null && LANGUAGES[language].endings.test(place.path));
  return [...new Set(own.map(({ path, line, character }) => `${path}:${line + 1}:${character}`))];
}

/** The answers of both sides about a name; says once how long each took to the first that held something. */
async function both(asking, { file, line, character }, method, more, spent) {
  const answers = [];
  for (const [side, server] of Object.entries(asking.sides)) {
    server.open(file.uri, LANGUAGES[asking.language].id, file.text);
    const begun = performance.now();
    const result = await server.ask(method, { textDocument: { uri: file.uri }, position: { line, character }, ...more });
    spent[side] += performance.now() - begun;
    const places = placesOf(result, asking.repository);
    if (places.length > 0 && !server.hasAnswered && asking.settle === 0) {
      server.hasAnswered = true;
      say(`first answer: ${side === "own" ? "whyrank" : server.name} after ${((Date.now() - asking.started) / 1000).toFixed(1)} s`);
    }
    answers.push(places);
  }
  return answers;
}

function placesOf(result, repository) {
  const found = result === null ? [] : [result].flat();
  return found.map((place) => {
    const path = fileURLToPath(place.uri ?? place.targetUri);
    const { line, character } = (place.range ?? place.targetSelectionRange).start;
    const inside = path.startsWith(`${repository}/`) && !path.includes("/node_modules/") && !path.includes("/typeshed-fallback/");
    return { path: inside ? path.slice(repository.length + 1) : null, line, character };
  });
}

function lines(places) {
  return [...new Set(places.map(({ path, line }) => `${path}:${line + 1}`))];
}

function share(part, whole) {
  return whole === 0 ? "–" : (part / whole).toFixed(3);
}

function perAsk(spent, n) {
  const each = (ms) => `${Math.round(ms / Math.max(n, 1))} ms`;
  return `${each(spent.own)} an answer, other ${each(spent.other)}`;
}

function list(read, n) {
  for (const [kind, { file, name, line, character }, own, other] of read.slice(0, n)) {
    const shown = (places) => (places.length > 3 ? `${places.slice(0, 3).join(" ")} …` : places.join(" "));
    say(`  ${kind}: ${name} at ${file.path}:${line + 1}:${character}${own.length > 0 ? `; whyrank ${shown(own)}` : ""}${other.length > 0 ? `; other ${shown(other)}` : ""}`);
  }
}
