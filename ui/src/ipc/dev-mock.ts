// A stand-in engine for `vite dev`, tests and screenshots; never part of a build.
//
// `?mock=first|empty|failing|indexing|benching|slow` picks a scene. Its traces add up like real ones.

import { emit } from "@tauri-apps/api/event";
import { mockIPC, mockWindows } from "@tauri-apps/api/mocks";
import type { FileBlame } from "./blame";
import type { DesktopSettings, DesktopState } from "./desktop";
import { agentHandlers } from "./dev-mock-agents";
import { benchmarkHandlers } from "./dev-mock-benchmark";
import { changesHandlers } from "./dev-mock-changes";
import { graphHandlers } from "./dev-mock-graph";
import { grep } from "./dev-mock-grep";
import {
  alignmentOf,
  GATE,
  gateOf,
  gateVerdict,
  QUERY_TOKENS,
  REFINED,
  STATS,
} from "./dev-mock-late";
import { memoryHandlers } from "./dev-mock-memory";
import { namesHandlers } from "./dev-mock-names";
import { preciseHandlers } from "./dev-mock-precise";
import { comparison, RERANK, rerankedAnswer, rerankTest } from "./dev-mock-rerank";
import type {
  Channel,
  EngineFailure,
  FilePreview,
  FoundRepository,
  GateFeatures,
  GateSettings,
  GrepRequest,
  Hit,
  JobProgress,
  ModelSummary,
  RepoHealth,
  RepoSummary,
  RerankSettings,
  ScanReport,
  ScopeChoice,
  SearchRequest,
  SearchResponse,
  Settings,
  Suggestion,
  TimelineCommit,
  Trace,
  TraceRow,
} from "./types";

type Scene =
  | "full"
  | "empty"
  | "first"
  | "failing"
  /** The list of repositories is read, an index is not. */
  | "damaged"
  | "indexing"
  | "benching"
  | "beginning"
  | "perfect"
  | "slow";
type Arguments = Record<string, unknown>;

const REPO = "a1b2c3d4e5f6";
const K = 60;
const PRIORS: [Channel, number][] = [
  ["fts", 1],
  ["vector", 1],
  ["doc-section", 0.7],
  ["path", 1.5],
  ["symbol-name", 1.2],
  ["graph", 0.15],
  ["late-interaction", 0],
  ["static", 1],
];

const FILES: [path: string, symbol: string | null, kind: string, line: number][] = [
  ["src/router/trie-router/router.ts", "TrieRouter", "class", 7],
  ["src/router/trie-router/node.ts", "Node.search", "method", 112],
  ["src/router/smart-router/router.ts", "SmartRouter.match", "method", 22],
  ["src/router/reg-exp-router/router.ts", "RegExpRouter", "class", 105],
  ["src/router.ts", "Router", "interface", 29],
  ["src/hono-base.ts", "Hono.route", "method", 204],
  ["src/router/linear-router/router.ts", "LinearRouter.match", "method", 20],
  ["src/router/pattern-router/router.ts", "PatternRouter", "class", 9],
  ["docs/CONCEPTS.md", null, "doc", 41],
  ["src/router/trie-router/router.test.ts", "describe routing", "function", 3],
  [
    "src/middleware/combine/very/deeply/nested/folder/with/a/long/name/handlers-and-validators.ts",
    "everyRouteThatMatchesTheConditionGivenByTheCaller",
    "function",
    88,
  ],
  ["src/utils/url.ts", "getPathNoStrict", "function", 133],
  ["src/مسار/موجه.ts", "موجه", "function", 12],
  ["benchmarks/routers/src/bench.mts", null, "code", 1],
];

const EDITORS = [
  { id: "vscode", name: "VS Code" },
  { id: "zed", name: "Zed" },
  { id: "environment", name: "$EDITOR (nvim)" },
];

const repo: RepoSummary = {
  id: REPO,
  name: "hono",
  root: "/home/me/code/hono",
  branch: "main",
  head: "4f2a91c",
  state: "ready",
  state_note: "",
  files: 412,
  chunks: 3185,
  symbols: 2764,
  languages: [
    { language: "typescript", files: 318, lines: 48211 },
    { language: "tsx", files: 41, lines: 6120 },
    { language: "markdown", files: 22, lines: 2104 },
    { language: "javascript", files: 18, lines: 1530 },
    { language: "json", files: 13, lines: 410 },
  ],
  index_bytes: 18_400_000,
  indexed_at: Date.now() / 1000 - 480,
  watching: true,
  coverage: {
    lexical: 1,
    vector: 0.62,
    vector_note: "1,975 of 3,185 chunks have a vector; run `whyrank index` to go on",
    vector_model: "all-minilm-l6-v2",
    tokens: 0.62,
    tokens_note: "lane 3 was paused",
    static_vectors: 1,
    n_skipped: 31,
  },
  vectors_left_s: 49,
  graph: "ready",
  skipped_by_reason: [
    { reason: "ignored by .gitignore", count: 24 },
    { reason: "too large (over 1 MB)", count: 4 },
    { reason: "binary", count: 3 },
  ],
};

const others: RepoSummary[] = [
  {
    ...repo,
    id: "b2",
    name: "tokio",
    root: "/home/me/code/tokio",
    head: "91bd02e",
    branch: "master",
    state: "stale",
    state_note: "3 commits since master @ 91bd02e: run `whyrank index`",
    commits_behind: 3,
    watching: false,
    files: 781,
    chunks: 6120,
    symbols: 5204,
    languages: [
      { language: "rust", files: 760, lines: 151_200 },
      { language: "markdown", files: 21, lines: 3800 },
    ],
    coverage: {
      lexical: 1,
      vector: 0,
      vector_note: "no embedding model",
      tokens: 0,
      tokens_note: "no embedding model",
      static_vectors: 1,
      n_skipped: 6,
    },
    vectors_left_s: 245,
    graph: "ready",
  },
  {
    ...repo,
    id: "c3",
    name: "old-experiments-with-a-name-that-goes-on",
    root: "/home/me/archive/2019/experiments/old-experiments-with-a-name-that-goes-on",
    branch: null,
    head: "aa00aa0",
    state: "not-indexed",
    state_note: "not indexed yet: run `whyrank index`",
    watching: false,
    vectors_left_s: null,
    files: 0,
    chunks: 0,
    symbols: 0,
    languages: [],
    index_bytes: 0,
    indexed_at: null,
  },
  {
    ...repo,
    id: "d4",
    name: "flask",
    root: "/mnt/usb/flask",
    state: "missing",
    state_note: "/mnt/usb/flask does not exist; refresh the listing",
    vectors_left_s: null,
    branch: null,
    head: null,
    watching: false,
    files: 0,
    chunks: 0,
    symbols: 0,
    languages: [],
    indexed_at: null,
  },
];

const COMMITS: TimelineCommit[] = [
  "Match routes by segment",
  "Fix: decode a path once",
  "Add the linear router",
  "Release 4.6.0",
].map((summary, at) => ({
  sha: `${(0x4f2a91c + 7919 * at).toString(16)}`.padEnd(40, "0"),
  at: Date.now() - at * 86_400_000,
  summary,
}));

const DAY = 86_400;
const FOUND: FoundRepository[] = [
  ["hono", 0.1],
  ["checkout-api", 0.4],
  ["design-system", 3],
  ["dotfiles", 12],
  ["advent-of-code", 340],
].map(([name, days]) => ({
  name: String(name),
  root: `/home/me/code/${name}`,
  used_at_s: Date.now() / 1000 - Number(days) * DAY,
}));

/** Two repositories or more with an index are a choice. */
function scopes(): ScopeChoice[] {
  const indexed = repos.filter((one) => one.chunks > 0).map(({ id, name }) => ({ id, name }));
  const id = indexed.map((one) => one.id).join("+");
  return indexed.length > 1 ? [{ name: "all", id, repos: indexed, is_default: false }] : [];
}

const models: ModelSummary[] = [
  {
    name: "all-minilm-l6-v2",
    description: "Small sentence encoder; finds code by what it does.",
    roles: ["bi-encoder"],
    licence: "Apache-2.0",
    dimensions: 384,
    size_bytes: 91_400_000,
    import_only: false,
    upstream: "sentence-transformers/all-MiniLM-L6-v2@c9745ed",
    problems: [],
    state: "present",
    state_note: "",
    path: "/home/me/.local/share/whyrank/models/all-minilm-l6-v2",
    chosen: true,
  },
  {
    name: "jina-code-v2",
    description: "Larger encoder trained on code.",
    roles: ["bi-encoder"],
    licence: "Apache-2.0",
    dimensions: 768,
    size_bytes: 322_000_000,
    import_only: false,
    upstream: "sentence-transformers/all-MiniLM-L6-v2@c9745ed",
    problems: [],
    state: "absent",
    state_note: "Download it to use it.",
    path: null,
    chosen: false,
  },
];

const standard: Settings = {
  weights: PRIORS.map(([channel, weight]) => ({ channel, weight })),
  rrf_k: K,
  model: "all-minilm-l6-v2",
  token_model: null,
  cross_encoder: null,
  token_vectors: "rescore",
  index_threads: 0,
  max_vectors: 300_000,
  max_memory_mb: 0,
  model_hub: null,
  evidence: {},
  gate: GATE,
  off: [],
  rerank: RERANK,
};

/** Some of the coefficients that the engine has by default. */
const COEFFICIENTS = { vector_score: 4.5, static_score: 3, described_static: 4 };

let settings = structuredClone(standard);
let desktop: DesktopState = {
  settings: { tray: true, keep_in_tray: false, palette_key: "Control+Alt+KeyW" },
  tray_missing: null,
  key: { unavailable: null, refused: null },
};
let repos: RepoSummary[] = [];
let job: JobProgress | null = null;
const traces = new Map<string, Trace>();

/** A folder over the window, or dropped on it, for tests. */
export function mockDrag(type: "enter" | "drop", path: string): Promise<void> {
  return emit(`tauri://drag-${type}`, { paths: [path], position: { x: 5, y: 5 } });
}

/** What the desktop can do, for tests. */
export function setMockDesktop(state: DesktopState): void {
  desktop = state;
}

/** Answers every command from fixtures. */
export function installDevMock(scene: Scene = sceneOf(location.search)): void {
  mockWindows("main");
  repos = scene === "empty" || scene === "first" ? [] : structuredClone([repo, ...others]);
  if (scene === "indexing") startJob(REPO);
  const handlers = handlersOf(scene);
  mockIPC(
    async (command, payload) => {
      const handler = handlers[command];
      if (scene === "slow") await new Promise((resolve) => setTimeout(resolve, 60_000));
      const answer = handler?.((payload ?? {}) as Arguments) ?? null;
      return FRESH.has(command) ? { answer: await answer, looks: [] } : answer;
    },
    { shouldMockEvents: true },
  );
}

/** Answers that come with the looks at the files before them. */
const FRESH = new Set(
  "search search_reranked grep suggest preview blame graph_view repository_map memos memo names_in_file refs impact test_map review_diff change_state file_diff".split(
    " ",
  ),
);

function sceneOf(search: string): Scene {
  return (new URLSearchParams(search).get("mock") as Scene | null) ?? "full";
}

function handlersOf(scene: Scene): Record<string, (given: Arguments) => unknown> {
  const guardWith =
    (error: EngineFailure, isOn = scene === "failing") =>
    <T>(answer: T): T => {
      if (isOn) throw error;
      return answer;
    };
  const guard = guardWith(INDEX_DAMAGED, scene === "failing" || scene === "damaged");
  const guardRegistry = guardWith(REGISTRY_DAMAGED);
  const guardFiles = guardWith(UNREADABLE);
  return {
    app_info: () => ({
      version: "0.1.0",
      data_dir: "/home/me/.local/share/whyrank",
      config_file: "/home/me/.config/whyrank/config.toml",
    }),
    repos: () => guardRegistry(repos),
    repo_health: () => guard(health()),
    scan: ({ path }) => scan(String(path)),
    add_repo: ({ path }) => addRepo(String(path)),
    add_repos: ({ paths }) => (paths as string[]).map(addRepo),
    scope_choices: () => guardRegistry(scopes()),
    find_repositories: () => guard(FOUND),
    remove_repo: ({ id }) => {
      repos = repos.filter((one) => one.id !== id);
      return null;
    },
    set_watching: ({ id, watching }) => patchRepo(String(id), { watching: watching === true }),
    start_index: ({ id }) => startJob(String(id)),
    jobs: () => (job ? [job] : []),
    pause_job: () => setJob({ state: "paused" }),
    resume_job: () => setJob({ state: "running" }),
    cancel_job: () => setJob({ state: "cancelled" }),
    look: ({ repo }) => [lookOf(String(repo))],
    search: ({ request }) => guard(answer(request as SearchRequest)),
    grep: ({ request }) =>
      guard(
        grep(
          request as GrepRequest,
          FILES.map(([path]) => preview(path)),
        ),
      ),
    search_reranked: ({ request }) => rerankedAnswer(answer(request as SearchRequest), traces),
    cancel_rerank: () => null,
    test_reranker: ({ settings: tried }) => rerankTest(tried as RerankSettings),
    compare_hits: ({ queryId, one, other }) =>
      comparison(traceFor(String(queryId)), Number(one), Number(other)),
    example_queries: () => examples(),
    prepare_search: () => null,
    suggest: ({ prefix }) => suggest(String(prefix)),
    preview: ({ path }) => preview(String(path)),
    ...namesHandlers(guard, preview),
    ...changesHandlers(guard),
    recent_commits: () => COMMITS,
    blame: ({ path }) => blame(String(path)),
    permalink: ({ path, lines }) => ({
      url: `https://github.com/honojs/hono/blob/${COMMITS[0]?.sha}/${path}#L${(lines as number[]).join("-L")}`,
      missing: null,
    }),
    editors: () => EDITORS,
    open_in_editor: ({ editor }) => EDITORS.find((one) => one.id === editor) ?? EDITORS[0],
    explain: ({ queryId }) => traceFor(String(queryId)),
    gate_what_if: ({ settings: tried, features, missing }) =>
      gateVerdict(tried as GateSettings, features as GateFeatures, missing as string | null),
    stage_stats: () => STATS,
    export_trace: () => null,
    models: () =>
      guard(scene === "first" ? models.map((one) => ({ ...one, state: "absent" })) : models),
    pull_model: () => new Promise(() => undefined),
    cancel_pull: () => null,
    import_model: (given) => {
      const model = models.find((one) => one.name === given.name);
      if (model) Object.assign(model, { state: "present", state_note: "ready" });
      return model;
    },
    verify_model: () => models[0],
    settings: () => guard(settings),
    default_settings: () => ({ ...standard, evidence: COEFFICIENTS }),
    set_settings: (given) => {
      settings = given.settings as Settings;
      return settings;
    },
    ...agentHandlers(guardFiles, scene === "empty"),
    ...graphHandlers(guard),
    ...preciseHandlers(),
    ...memoryHandlers(guardFiles, scene === "empty"),
    ...benchmarkHandlers({
      isEmpty: scene === "empty",
      isRunning: scene === "benching" || scene === "beginning",
      isPerfect: scene === "perfect",
      hasAnswers: scene !== "beginning",
      guard: guardFiles,
    }),
    take_launched_repo: () => null,
    take_opened_link: () => null,
    notify_of_ends: () => null,
    desktop: () => desktop,
    set_desktop: (given) => {
      desktop = { ...desktop, settings: given.settings as DesktopSettings };
      return desktop;
    },
    paint_window: () => null,
    zoom: () => null,
    update_state: () => ({ by: "builder", failed: null }),
    check_for_update: () => null,
    install_update: () => null,
    cancel_update: () => null,
    link_state: () => ({ opens_here: false, missing: null }),
    open_links_here: ({ on }) => ({ opens_here: on === true, missing: null }),
    choose_path: () => "/home/me/code/axum",
    choose_save_path: ({ name }) => `/home/me/${String(name)}`,
  };
}

const INDEX_DAMAGED = failure(
  "index-damaged",
  "a file of the index was cut short while it was read",
  "ask again; if it stays so, run `whyrank index` to repair it",
);

const REGISTRY_DAMAGED = failure(
  "registry-damaged",
  "the list of repositories /home/me/.local/share/whyrank/repositories.json cannot be read: expected value at line 1 column 1",
  "fix or delete that file; indexes are kept and found again when a repository is added",
);

const UNREADABLE = failure(
  "io",
  "cannot access /home/me/.local/share/whyrank: permission denied (os error 13)",
  "check the permissions and the free space there",
);

function failure(code: string, message: string, hint: string): EngineFailure {
  return { code, message, hint };
}

function patchRepo(id: string, change: Partial<RepoSummary>): null {
  repos = repos.map((one) => (one.id === id ? { ...one, ...change } : one));
  return null;
}

function startJob(id: string): string {
  patchRepo(id, { state: "indexing" });
  job = {
    job_id: "job-1",
    repo: id,
    lane: "lexical",
    stage: "parse",
    done: 112,
    total: 412,
    rate: 81,
    eta_s: 4,
    current: "src/router/trie-router/node.ts",
    state: "running",
    error: null,
  };
  const timer = setInterval(() => {
    if (!job || job.state === "cancelled" || job.state === "done") return clearInterval(timer);
    if (job.state === "paused") return;
    const done = Math.min(job.total, job.done + 8);
    setJob({
      done,
      rate: 70 + 16 * Math.sin(done / 12),
      eta_s: (job.total - done) / 80,
      state: done === job.total ? "done" : "running",
    });
  }, 100);
  return job.job_id;
}

function traceFor(id: string): Trace {
  const trace = traces.get(id);
  if (trace) return trace;
  if (id === "q-demo") return traceOf("trie router match", id, settings);
  throw failure("trace-missing", "There is no trace of this answer any more.", "Search again.");
}

function setJob(change: Partial<JobProgress>): null {
  if (!job) return null;
  job = { ...job, ...change };
  if (job.state === "done" || job.state === "cancelled")
    patchRepo(job.repo, { state: "ready", chunks: 3185 });
  void emit("engine-notice", { type: "progress", ...job });
  return null;
}

function scan(path: string): ScanReport {
  if (path.includes("nothing"))
    throw failure(
      "not-a-repository",
      `${path} is not inside a git repository.`,
      "Choose a folder under git, or run git init there.",
    );
  return {
    root: path,
    files: 412,
    bytes: 2_340_000,
    languages: repo.languages,
    skipped_by_reason: repo.skipped_by_reason,
  };
}

function addRepo(path: string): RepoSummary {
  const added: RepoSummary = {
    ...repo,
    id: path,
    name: path.split("/").pop() ?? path,
    root: path,
    state: "not-indexed",
    state_note: "not indexed yet: run `whyrank index`",
    chunks: 0,
    watching: false,
  };
  repos = [...repos, added];
  return added;
}

function lookOf(repo: string) {
  const found = { behind: [], n_behind: 0, head_moved: false, note: "" };
  const looked_at = Date.now();
  return { repo, found, index_state: "g.1", looked_at, took_ms: 1, is_looking: false };
}

function health(): RepoHealth {
  const skipped = Array.from({ length: 31 }, (_, index) => ({
    path: `vendor/bundle/part-${index}/generated-output.min.js`,
    reason: repo.skipped_by_reason[index % 3]?.reason ?? "binary",
  }));
  return {
    summary: repo,
    compatibility: "9c41e07ab2",
    manifest: [
      { name: "schema", value: "1" },
      { name: "chunker", value: "3" },
      { name: "tokenizer", value: "code-2" },
      { name: "model", value: "all-minilm-l6-v2@c9745ed" },
    ],
    index_path: "/home/me/.local/share/whyrank/indexes/9c41e07ab2",
    skipped,
    parse_errors: [{ path: "src/jsx/broken.tsx", reason: "line 41: missing }" }],
    views: ["working tree /home/me/code/hono", "worktree /home/me/code/hono-next"],
    vectors: [
      { kind: "dense vectors", bytes: 6_640_000, chunks: 2_100, bytes_per_chunk: 3_162 },
      { kind: "token vectors", bytes: 11_050_000, chunks: 2_100, bytes_per_chunk: 5_262 },
    ],
    problems: [],
    scip: null,
    reports: {
      reports: [
        { path: "coverage/lcov.info", kind: "lcov", is_used: true, note: "" },
        { path: "profiles/app.cpuprofile", kind: "V8 CPU profile", is_used: false, note: "" },
      ],
      n_more: 0,
    },
  };
}

function examples(): Suggestion[] {
  const example = (text: string, kind: Suggestion["kind"], path: string) =>
    ({ text, kind, detail: "", path, line: null }) as const;
  return [
    example("TrieRouter", "symbol", "src/router/trie-router.ts"),
    example("match path segments", "words", "src/router/trie-node.ts"),
    example("router/compile.ts", "path", "src/router/compile.ts"),
  ];
}

function suggest(prefix: string): Suggestion[] {
  const wanted = prefix.toLowerCase();
  const symbols = FILES.flatMap(([path, symbol, kind, line]): Suggestion[] =>
    symbol
      ? [{ text: symbol, kind: "symbol", detail: `${kind} · ${path}:${line}`, path, line }]
      : [],
  );
  const paths = FILES.map(
    ([path]): Suggestion => ({ text: path, kind: "path", detail: "", path, line: null }),
  );
  return [...symbols, ...paths]
    .filter((one) => one.text.toLowerCase().includes(wanted))
    .slice(0, 6);
}

function answer(request: SearchRequest): SearchResponse {
  const id = `q-${[...JSON.stringify(request)].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) >>> 0, 7).toString(16)}`;
  const used = request.weights ? { ...settings, weights: request.weights } : settings;
  const trace = traceOf(request.query, id, used);
  traces.set(id, trace);
  const none = request.query.includes("zzz");
  return {
    query_id: id,
    hits: none
      ? []
      : trace.rows
          .filter((row) => row.shown)
          .map((row, index) => ({ ...hitOf(row, request.query), rank: index + 1 })),
    n_candidates: none ? 0 : trace.rows.length,
    elapsed_ms: 23.4,
    notes: trace.notes,
    memory_gap: null,
    poor_fit: request.query.includes("qqq")
      ? "nothing fits well: no word of the query occurs; these only come nearest"
      : null,
    coverage: trace.coverage,
    memos: [],
    rerank: null,
    facets: [
      {
        name: "language",
        values: [
          { reason: "typescript", count: 41 },
          { reason: "markdown", count: 6 },
        ],
      },
      {
        name: "kind",
        values: [
          { reason: "class", count: 12 },
          { reason: "method", count: 22 },
          { reason: "function", count: 9 },
        ],
      },
      {
        name: "folder",
        values: [
          { reason: "src/router", count: 31 },
          { reason: "src/middleware", count: 8 },
          { reason: "docs", count: 4 },
        ],
      },
    ],
  };
}

function hitOf(row: TraceRow, query: string): Hit {
  const file = FILES.find(([path]) => path === row.path);
  const text = `  match(method: string, path: string): Result<T> {`;
  const word = query.split(/\s+/).at(-1) ?? "";
  const at = word === "" ? -1 : text.toLowerCase().indexOf(word.toLowerCase());
  return {
    rank: row.rank,
    path: row.path,
    start_line: row.start_line,
    end_line: row.end_line,
    symbol: row.symbol,
    kind: file?.[2] ?? "code",
    signature: `class ${row.symbol ?? ""}<T> implements Router<T>`,
    language: "typescript",
    score: row.score,
    channels: [...row.channels]
      .sort((a, b) => b.contribution - a.contribution)
      .map((entry) => entry.channel),
    snippet: [
      { line: row.start_line, text, matches: at < 0 ? [] : [[at, at + word.length]] },
      { line: row.start_line + 1, text: "    return this.#node.search(method, path)", matches: [] },
    ],
    badges: row.path.includes(".test.") ? ["test"] : row.path.startsWith("docs/") ? ["docs"] : [],
    more_in_file: row.rank % 4 === 0 ? 2 : 0,
    evidence_id: `${row.path}:${row.start_line}`,
  };
}

function traceOf(query: string, id: string, used: Settings): Trace {
  const weightOf = (channel: Channel) => {
    const set = used.weights.find((one) => one.channel === channel)?.weight ?? 1;
    return channel === "symbol-name" ? set * 1.25 : set;
  };
  const foundBy = (index: number) =>
    PRIORS.filter(([channel], at) => (index * 7 + at * 3) % 5 < 3 && weightOf(channel) > 0);
  const rankIn = ranksOf(46, foundBy);
  const rows = Array.from({ length: 46 }, (_, index): TraceRow => {
    const file = FILES[index % FILES.length] ?? FILES[0];
    const [path, symbol, , line] = file as (typeof FILES)[number];
    const channels = foundBy(index).map(([channel]) => {
      const rank = rankIn.get(`${channel} ${index}`) ?? 1;
      return {
        channel,
        rank,
        raw_score: 14.2 / rank,
        contribution: weightOf(channel) / (used.rrf_k + rank),
        way: channel === "graph" ? "from `Hono.route` by call → `TrieRouter`" : null,
      };
    });
    const evidence = [
      ...(index % 3 === 0
        ? [{ name: "definition", contribution: 0.004, reason: "defines what the query names" }]
        : []),
      ...(path.includes(".test.")
        ? [
            {
              name: "test-file",
              contribution: -0.009,
              reason: "in a test, and the query does not ask for tests",
            },
          ]
        : []),
    ];
    const late = { rank: 1 + ((index * 11) % 46), score: 6.4 - ((index * 11) % 46) * 0.06 };
    evidence.push({
      name: "max-sim",
      contribution: (46 - late.rank) * 0.0004,
      reason: `MaxSim ${late.score.toFixed(3)}, ${(1.4 - late.rank / 20).toFixed(2)} σ from the mean`,
    });
    const fused = channels.reduce((sum, entry) => sum + entry.contribution, 0);
    const score = evidence.reduce((sum, entry) => sum + entry.contribution, fused);
    const start = line + 40 * Math.floor(index / FILES.length);
    return {
      rank: 0,
      path,
      start_line: start,
      end_line: start + 18,
      symbol,
      channels,
      evidence,
      fused,
      score,
      shown: true,
      late,
      stages: {
        fused: 1 + ((index * 7) % 46),
        evidence: 1 + ((index * 5 + 3) % 46),
        refined: 1 + ((index * 3 + 1) % 46),
        ordered: 0,
        presented: null,
        reranked: null,
      },
      alignment: null,
    };
  });
  rows.sort((a, b) => b.score - a.score);
  const seen = new Set<string>();
  for (const [index, row] of rows.entries()) {
    row.shown = !seen.has(row.path);
    seen.add(row.path);
    if (row.stages) row.stages.ordered = index + 1;
  }
  // As the engine presents: the best of each file first, then the rest, ranked on.
  rows.sort((a, b) => Number(b.shown) - Number(a.shown));
  for (const [index, row] of rows.entries()) {
    row.rank = index + 1;
    if (row.shown && row.late) row.alignment = alignmentOf(row.start_line, row.late.score);
  }
  const nHits = (of: Channel) =>
    rows.filter((row) => row.channels.some(({ channel }) => channel === of)).length;
  const nFound = PRIORS.reduce((sum, [channel]) => sum + nHits(channel), 0);
  return {
    query_id: id,
    query,
    repo: REPO,
    view: "working tree at 4f2a91c on main, 2 changed files",
    fit: { words: 0.46, cosine: 0.61, poor: null },
    shape: "natural-language",
    shape_reason: "3 words, none with a separator or a capital inside",
    rrf_k: used.rrf_k,
    weights: PRIORS.map(([channel]) => {
      const prior = used.weights.find((one) => one.channel === channel)?.weight ?? 1;
      const effective = weightOf(channel);
      return {
        channel,
        prior,
        effective,
        reason: effective === prior ? "" : "a word is the name of a definition: × 1.25",
      };
    }),
    channels: PRIORS.map(([channel], at) => ({
      channel,
      n_hits: nHits(channel),
      elapsed_ms: 2.1 + at * 1.7,
      encode_ms: channel === "vector" ? 3.1 : null,
      skipped: channel === "late-interaction" ? "switched off" : null,
    })),
    rows,
    timings: [
      timing("query", 0.21),
      timing("channels", 14.8, 120, null, nFound),
      timing("graph", 1.2, null, null, nHits("graph")),
      timing("fuse", 0.42, null, nFound, rows.length),
      timing("evidence", 1.9, null, rows.length, rows.length),
      timing("gate", 0.05, null, rows.length, 0),
      timing("refine", 12.4, 180, rows.length, rows.length),
      timing("order", 0.6),
      timing("present", 6.1, 5, rows.length, seen.size),
    ],
    gate: gateOf(),
    refine: { ...REFINED, query_tokens: QUERY_TOKENS },
    rerank: null,
    coverage: repo.coverage,
    manifest: "9c41e07ab2 generation 14",
    notes: ["1,975 of 3,185 chunks have a vector; run `whyrank index` to go on"],
  };
}

/** A rank for each that a channel found, from 1 and each once, shuffled alike every time. */
function ranksOf(n: number, foundBy: (index: number) => typeof PRIORS): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const [at, [channel]] of PRIORS.entries()) {
    const found = Array.from({ length: n }, (_, index) => index).filter((index) =>
      foundBy(index).some(([by]) => by === channel),
    );
    const place = (index: number) => (index * (at + 2) + at * 5) % n;
    found.sort((a, b) => place(a) - place(b) || a - b);
    for (const [before, index] of found.entries()) ranks.set(`${channel} ${index}`, before + 1);
  }
  return ranks;
}

function timing(
  stage: string,
  elapsed_ms: number,
  budget_ms: number | null = null,
  n_in: number | null = null,
  n_out: number | null = null,
): Trace["timings"][number] {
  return { stage, elapsed_ms, budget_ms, n_in, n_out, skipped: null };
}

/** Lines of four commits and of none, in turns. */
function blame(path: string): FileBlame {
  const ages = [2, 40, 300, 2200];
  const commits = COMMITS.map((commit, at) => ({
    sha: commit.sha,
    author: ["Ana López", "usamoi", "Yusuke Wada", "A contributor with a long name"][at] ?? "",
    at: Date.now() - (ages[at] ?? 0) * 86_400_000,
    summary: commit.summary,
  }));
  const ranges = Array.from({ length: 66 }, (_, at) => ({
    start_line: at * 4 + 1,
    end_line: at * 4 + 4,
    commit: at % 11 === 6 ? null : (at * 7) % 4,
  }));
  return { path, ranges, commits, stopped: null };
}

function preview(path: string): FilePreview {
  const lines = Array.from({ length: 260 }, (_, index) =>
    index % 9 === 0
      ? `// The part of the trie below segment ${index}.`
      : `  const node${index} = this.children["seg-${index}"] ?? null`,
  );
  const text = `import type { Result, Router } from '../../router'\n\nexport class TrieRouter<T> implements Router<T> {\n${lines.join("\n")}\n}\n`;
  const paint = (pattern: RegExp, name: string) =>
    [...text.matchAll(pattern)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      class: name,
    }));
  return {
    path,
    language: "typescript",
    text,
    highlights: [
      ...paint(/\/\/.*/g, "comment"),
      ...paint(
        /\b(import|type|from|export|class|implements|const|null|this)\b(?!.*segment)/g,
        "keyword",
      ),
      ...paint(/'[^']*'|"[^"]*"/g, "string"),
      ...paint(/\b(TrieRouter|Router|Result)\b/g, "type"),
    ].sort((a, b) => a.start - b.start),
    symbols: [
      {
        path,
        start_line: 3,
        end_line: 264,
        name_line: 3,
        kind: "class",
        name: "TrieRouter",
        qualified: "TrieRouter",
        signature: "class TrieRouter<T>",
        exported: true,
      },
    ],
    truncated: false,
  };
}
