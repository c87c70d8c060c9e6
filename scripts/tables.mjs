// `npm run tables [-- REPOSITORY]`: runs the queries of docs/tables.md with DuckDB on the tables of a repository.
//
// DuckDB comes from PyPI into target/tables, an environment of its own. A memo, searches and a short benchmark
// run in a temporary home see to it that no table is empty.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { StepError, main, root, run, runQuietly, say } from "./steps.mjs";

const DUCKDB = "duckdb==2.0.1";
const TABLES = ["files", "symbols", "uses", "memos", "traces", "channels", "runs"];

/** Counts the rows of both forms, and runs the queries. */
const CHECK = `
import duckdb, json
tables, queries = json.load(open("asked.json"))
for table in tables:
    forms = (f"'{table}.jsonl'", f"read_csv('{table}.csv', quote = chr(34))")
    lines, csv = (duckdb.sql(f"select count(*) from {form}").fetchall()[0][0] for form in forms)
    assert lines == csv > 0, f"{table}: {lines} rows as JSON, {csv} as CSV"
    print(f"{table}: {lines} rows")
for query in queries:
    rows = duckdb.sql(query).fetchall()
    print(f"{len(rows):5} rows: {' '.join(query.split())[:100]}")
`;

await main(check, { closingLine: false });

async function check() {
  const repo = resolve(process.argv[2] ?? root);
  const folder = mkdtempSync(join(tmpdir(), "whyrank-tables-"));
  try {
    const python = await withDuckdb();
    await exportTables(repo, folder);
    const page = readFileSync(join(root, "docs/tables.md"), "utf8");
    const queries = [...page.matchAll(/```sql\n([^`]*)```/g)].map((match) => match[1]);
    writeFileSync(join(folder, "asked.json"), JSON.stringify([TABLES, queries]));
    say(await printed(python, ["-c", CHECK], { cwd: folder }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a command prints; the script ends where it fails. */
async function printed(command, args, options) {
  const { status, stdout, stderr } = await runQuietly(command, args, options);
  if (status !== 0) throw new StepError(`${command} ${args[0]} failed: ${stderr.trim()}`);
  return stdout;
}

/** The Python that has DuckDB. */
async function withDuckdb() {
  const folder = join(root, "target/tables");
  const python = join(folder, "bin/python");
  if (!existsSync(join(folder, "installed"))) {
    await run("python3", ["-m", "venv", folder]);
    await run(python, ["-m", "pip", "install", "--quiet", DUCKDB]);
    writeFileSync(join(folder, "installed"), DUCKDB);
  }
  return python;
}

async function exportTables(repo, folder) {
  const program = join(process.env.WHYRANK_TEST_BIN ?? join(root, "target/debug"), "whyrank");
  const env = { WHYRANK_HOME: join(folder, "home") };
  const whyrank = (...args) => printed(program, args, { cwd: repo, env });
  await whyrank("index", "--no-vectors");
  await whyrank("memo", "add", "other programs read tables", "--kind", "context");
  await whyrank("search", "where is a query parsed", "--json");
  await whyrank("search", "Engine", "--json");
  await whyrank("bench", "run", "--suite", "own", "--limit", "3", "--subject", "whyrank", "--no-vectors");
  for (const table of TABLES) {
    writeFileSync(join(folder, `${table}.jsonl`), await whyrank("export", table));
    writeFileSync(join(folder, `${table}.csv`), await whyrank("export", table, "--csv"));
  }
}
