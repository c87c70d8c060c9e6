// Benchmark runs for the stand-in engine: answers are drawn from a seed, figures are computed
// from the answers, so that tables, charts and drill-downs agree.

import type {
  Category,
  Comparison,
  Estimate,
  GroupBy,
  Metric,
  Paired,
  PairRow,
  Place,
  RunInfo,
  RunProgress,
  RunRequest,
  Scores,
  SubjectChoice,
  SuiteChoice,
  Summary,
  SummaryRow,
  TaskLine,
  TaskResult,
  Verdict,
} from "./benchmark";
import type { EngineFailure } from "./types";

type Arguments = Record<string, unknown>;

interface SuitePlan {
  name: string;
  categories: Category[];
  languages: [language: string, repo: string][];
  perCategory: number;
}

const CHECKED: SuitePlan = {
  name: "primitives-checked",
  categories: ["P1", "P2", "P4", "P5", "CALLERS", "IMPACT"],
  languages: [
    ["typescript", "hono"],
    ["python", "flask"],
    ["rust", "tokio"],
    ["go", "gin"],
    ["java", "spring-petclinic-with-a-long-repository-name"],
  ],
  perCategory: 50,
};
const ORIGINAL: SuitePlan = {
  name: "primitives-original",
  categories: ["P1", "P2", "P4", "P5"],
  languages: [
    ["javascript", "express"],
    ["typescript", "lodash"],
  ],
  perCategory: 15,
};
const WORDS: SuitePlan = {
  name: "semble",
  categories: ["search", "NLDOC", "NLFIX"],
  languages: [
    ["python", "fastapi"],
    ["rust", "ripgrep"],
    ["c", "redis"],
    ["haskell", "pandoc"],
  ],
  perCategory: 120,
};

/** Chance of a right place, by subject and category; absent where the subject does not take part. */
const SKILL: Record<
  string,
  { any: number; by?: Partial<Record<Category, number>>; tokens: number }
> = {
  whyrank: {
    any: 0.84,
    by: { P5: 0.72, IMPACT: 0.8, NLFIX: 0.5, search: 0.85 },
    tokens: 310,
  },
  "naive-grep": { any: 0.44, by: { P5: 0.3, IMPACT: 0.2, NLFIX: 0.2 }, tokens: 15_800 },
  "smart-grep": { any: 0.6, by: { P2: 0.84, IMPACT: 0.3, NLDOC: 0.45 }, tokens: 720 },
  "smart-grep-fair": { any: 0.66, by: { P2: 0.85, IMPACT: 0.35 }, tokens: 760 },
  bm25: { any: 0.62, by: { search: 0.67, P1: 0.5, P2: 0.4 }, tokens: 540 },
  codegraph: { any: 0.9, by: { P1: 0.97, CALLERS: 0.9, IMPACT: 0.9, P5: 0.85 }, tokens: 190 },
};
const NOT_DONE: Record<string, Category[]> = {
  codegraph: ["P2", "P4", "search", "NLDOC", "NLFIX"],
  "naive-grep": ["search", "NLDOC", "NLFIX", "CALLERS", "IMPACT"],
};
const ABOUT: Record<string, string> = {
  whyrank: "The index of this program, lexical and vector channels, default weights.",
  "naive-grep": "grep -rn | head -50, then the first ten files in full.",
  "smart-grep": "grep with language filters and definition-shaped patterns.",
  "smart-grep-fair": "The same with each repository's own languages.",
  bm25: "BM25 over chunks, without code-aware tokens.",
  codegraph: "codegraph 1.6.1 from the PATH.",
};

const HEADLINE: Partial<Record<Category, Metric>> = {
  search: "ndcg@10",
  NLDOC: "mrr@10",
  NLFIX: "mrr@10",
};

const NAMES = ["parse_request", "Router.match", "TrieRouter", "spawn_blocking", "render_template"];
const QUESTIONS = [
  "where is the retry delay computed when the server answers 429",
  "returns the first handler whose pattern fits the path, and its parameters",
  "fix: keep-alive connections are closed too early behind a proxy",
  "إعادة توجيه الطلبات بين الخوادم",
  "which module turns environment variables into settings before the first request is served, and where are its defaults kept",
];

interface MockRun extends RunInfo {
  plans: SuitePlan[];
  /** Shifts Whyrank's skill: another version of it. */
  bias: number;
  isPerfect?: boolean;
}

let runs: MockRun[] = [];
let progress: RunProgress | null = null;
const answers = new Map<string, TaskResult[]>();

export function benchmarkHandlers(scene: {
  isEmpty: boolean;
  isRunning: boolean;
  /** Everything is answered rightly. */
  isPerfect: boolean;
  /** The run under way has written answers. */
  hasAnswers: boolean;
  guard: <T>(answer: T) => T;
}): Record<string, (given: Arguments) => unknown> {
  const { guard } = scene;
  runs = scene.isEmpty ? [] : firstRuns();
  answers.clear();
  if (scene.isPerfect) runs = [perfectRun(...runs)];
  progress = null;
  if (scene.isRunning) {
    startRun({ title: "With the new gate", suites: ["semble"] });
    runs = runs.map((run) => (scene.hasAnswers || run.id !== progress?.id ? run : bare(run)));
  }
  return {
    bench_suites: () => guard(suites),
    bench_subjects: () => guard(subjects),
    bench_runs: () =>
      guard(runs.map(({ plans: _plans, bias: _bias, isPerfect: _isPerfect, ...run }) => run)),
    bench_start: ({ request }) => startRun(request as RunRequest),
    bench_progress: () => progress,
    bench_cancel: () => endRun("cancelled"),
    bench_summary: ({ id }) => summarize(runOf(id)),
    bench_tasks: ({ id }) => answersOf(runOf(id)).map(lineOf),
    bench_task: ({ id, suite, subject, task }) => taskOf(runOf(id), suite, subject, task),
    bench_compare: ({ base, other }) => compare(runOf(base), runOf(other)),
    bench_export: ({ path }) => path,
    bench_delete: ({ id }) => {
      runs = runs.filter((run) => run.id !== id);
      return null;
    },
  };
}

/** As the catalog lists a run that has just begun. */
function bare(run: MockRun): MockRun {
  return { ...run, n_done: 0 };
}

function runOf(id: unknown): MockRun {
  const run = runs.find((one) => one.id === id);
  if (run) return run;
  const failure: EngineFailure = {
    code: "bad-argument",
    message: `There is no benchmark run ${id}.`,
    hint: "Choose one from the list.",
  };
  throw failure;
}

const suites: SuiteChoice[] = [
  {
    name: CHECKED.name,
    path: "/home/me/code/whyrank/benchmark/tasks/primitives-checked",
    n_tasks: 300,
    n_repositories: 5,
    categories: CHECKED.categories,
    languages: ["typescript", "python", "rust", "go", "java"],
    description: "Definitions, uses, dependencies and dead code; truth from compilers.",
    error: null,
  },
  {
    name: ORIGINAL.name,
    path: "/home/me/code/whyrank/benchmark/tasks/primitives-original",
    n_tasks: 60,
    n_repositories: 2,
    categories: ORIGINAL.categories,
    languages: ["javascript", "typescript"],
    description: "The published 60 tasks with their truth as it is, defects and all.",
    error: null,
  },
  {
    name: WORDS.name,
    path: "/home/me/code/whyrank/benchmark/tasks/semble",
    n_tasks: 1251,
    n_repositories: 63,
    categories: WORDS.categories,
    languages: ["python", "rust", "c", "haskell"],
    description: "Questions in words; which files answer them?",
    error: null,
  },
  {
    name: "coir",
    path: "/home/me/code/whyrank/benchmark/tasks/coir",
    n_tasks: 0,
    n_repositories: 0,
    categories: ["corpus"],
    languages: ["python"],
    description: "Documents of a corpus, graded.",
    error: "corpus.jsonl is missing; see benchmark/README.md on how to get it.",
  },
];

const subjects: SubjectChoice[] = [
  ...Object.entries(ABOUT).map(([name, notes]) => ({
    name,
    notes,
    available: name !== "codegraph",
    why_not: name === "codegraph" ? "codegraph is not on the PATH." : null,
  })),
  {
    name: "random",
    notes: "Chooses chunks at random, as a lower bound.",
    available: true,
    why_not: null,
  },
];

function firstRuns(): MockRun[] {
  const names = Object.keys(SKILL);
  const base: MockRun = {
    id: "20261121-093012",
    title: "Path channel by file name",
    started: "2026-11-21T09:30:12Z",
    seconds: 1843,
    state: "complete",
    error: null,
    seed: 1,
    version: "0.4.0",
    commit: "279ec330f1c2aa90bb7c62e1+",
    machine: {
      system: "Linux x86_64",
      processor: "AMD EPYC 7B13",
      cores: 2,
      memory_mib: 7953,
    },
    suites: [],
    subjects: names.map((name) => ({
      name,
      version: name === "whyrank" ? "0.4.0" : name === "codegraph" ? "1.6.1" : "",
      notes: ABOUT[name] ?? "",
      configuration: name === "whyrank" ? '{"rrf_k":60,"weights":{"fts":1,"path":1.5}}' : "",
    })),
    repositories: [
      ...["hono", "flask", "tokio", "gin", "express", "fastapi", "ripgrep", "redis"].map(
        (name, index) => ({
          name,
          version: `v${index + 1}.${index * 3}.0`,
          files: 120 + index * 311,
          index_cpu_s: 0.8 + index * 1.31,
          manifest: "9c41e07ab2",
          error: null,
        }),
      ),
      {
        name: "prisma",
        version: "6.2.1",
        files: 0,
        index_cpu_s: null,
        manifest: "",
        error: "the archive is not here and there is no network",
      },
    ],
    n_wanted: 0,
    n_done: 0,
    plans: [CHECKED, ORIGINAL, WORDS],
    bias: 0,
  };
  const make = (change: Partial<MockRun>): MockRun => {
    const run = { ...base, ...change };
    run.suites = run.plans.map((plan) => plan.name);
    const wanted = run.plans.reduce((n, plan) => n + plan.categories.length * plan.perCategory, 0);
    run.n_wanted = wanted * run.subjects.length;
    run.n_done = run.state === "complete" ? run.n_wanted : Math.min(1204, run.n_wanted);
    return run;
  };
  return [
    make({}),
    make({
      id: "20261120-170455",
      title: "Cancelled over lunch",
      started: "2026-11-20T17:04:55Z",
      state: "cancelled",
      seconds: 400,
      bias: -0.03,
    }),
    make({
      id: "20261119-081500",
      title: "Before the path channel, with a title that is longer than the list is wide",
      started: "2026-11-19T08:15:00Z",
      version: "0.3.2",
      commit: "e1f0c1d22a",
      bias: -0.06,
    }),
    make({
      id: "20261112-120000",
      title: "",
      started: "2026-11-12T12:00:00Z",
      version: "0.3.1",
      commit: null,
      plans: [ORIGINAL],
      bias: -0.1,
      subjects: base.subjects.slice(0, 4),
    }),
    make({
      id: "20261110-101010",
      title: "Disk full",
      started: "2026-11-10T10:10:10Z",
      state: "failed",
      error: "The answers could not be written: no space left on device.",
      version: "0.3.1",
      bias: -0.1,
    }),
  ];
}

function perfectRun(...[model]: MockRun[]): MockRun {
  const run = { ...(model as MockRun), title: "", plans: [CHECKED], isPerfect: true };
  run.suites = [CHECKED.name];
  run.title = `${CHECKED.name}: ${run.subjects.map((one) => one.name).join(", ")}`;
  run.n_done = run.n_wanted = 300 * run.subjects.length;
  return run;
}

const TICK_MS = 500;

function startRun(request: Partial<RunRequest>): string {
  const id = `2026112${runs.length}-111111`;
  const [model] = firstRuns();
  if (!model) return id;
  const wanted = 2160;
  runs = [
    {
      ...model,
      id,
      title: request.title ?? "",
      suites: request.suites ?? [],
      started: new Date().toISOString(),
      state: "running",
      plans: [WORDS],
      n_wanted: wanted,
      n_done: 700,
    },
    ...runs,
  ];
  progress = {
    id,
    state: "running",
    phase: "whyrank answers about fastapi",
    done: 700,
    wanted,
    errors: 3,
    eta_s: 94,
    notes: ["flask: index built in 2.1 CPU s", "prisma left out: the archive is not here"],
  };
  const timer = setInterval(() => {
    if (progress?.state !== "running") return clearInterval(timer);
    const done = Math.min(wanted, progress.done + 9);
    progress = { ...progress, done, eta_s: (wanted - done) / 18 };
    if (done === wanted) endRun("complete");
  }, TICK_MS);
  return id;
}

function endRun(state: "cancelled" | "complete"): null {
  const ended = progress;
  if (!ended) return null;
  progress = { ...ended, state };
  runs = runs.map((run) => (run.id === ended.id ? { ...run, state, n_done: ended.done } : run));
  answers.delete(ended.id);
  return null;
}

function answersOf(run: MockRun): TaskResult[] {
  const known = answers.get(run.id);
  if (known) return known;
  const made = run.plans.flatMap((plan) => answersTo(run, plan)).slice(0, run.n_done);
  if (run.state !== "running") answers.set(run.id, made);
  return made;
}

function answersTo(run: MockRun, plan: SuitePlan): TaskResult[] {
  return plan.categories.flatMap((category, nth) =>
    Array.from({ length: plan.perCategory }, (_, index) => {
      const place = plan.languages[index % plan.languages.length] ?? ["rust", "tokio"];
      const random = randomFrom(nth * 1000 + index + plan.name.length * 77);
      const hardness = random();
      return run.subjects.map(({ name }, at) =>
        answerOf(run, plan, { category, index, place, hardness, name, seed: at * 31 + index }),
      );
    }).flat(),
  );
}

function answerOf(
  run: MockRun,
  plan: SuitePlan,
  task: {
    category: Category;
    index: number;
    place: [string, string];
    hardness: number;
    name: string;
    seed: number;
  },
): TaskResult {
  const { category, index, name } = task;
  const skill = SKILL[name] ?? { any: 0.5, tokens: 500 };
  const shift = name === "whyrank" ? run.bias + (category === "P4" ? -run.bias * 2 : 0) : 0;
  const chance = run.isPerfect ? 2 : (skill.by?.[category] ?? skill.any) + shift;
  const jitter = randomFrom(task.seed * 7919 + category.length * 13 + index * 31);
  const expected = expectedOf(index, category);
  const met = expected.map(() => jitter() * 0.6 + task.hardness * 0.4 < chance);
  const isUnsupported = NOT_DONE[name]?.includes(category) ?? false;
  const isFailed = !isUnsupported && !run.isPerfect && name !== "whyrank" && jitter() < 0.006;
  const wrong = jitter() < chance ? 0 : 1 + Math.floor(jitter() * 3);
  const right = isFailed ? 0 : met.filter(Boolean).length;
  const text = isFailed ? "" : textOf(name, expected, met);
  return {
    suite: plan.name,
    task: `${category.toLowerCase()}-${task.place[1]}-${String(index).padStart(3, "0")}`,
    subject: name,
    repo: task.place[1],
    language: task.place[0],
    category,
    stratum: ["unique name", "ambiguous name", "method"][index % 3] ?? "",
    question: questionOf(category, index),
    headline: HEADLINE[category] ?? "f1",
    scores: isUnsupported ? {} : scoresOf(category, right, wrong, expected.length, jitter),
    tokens: Math.round(skill.tokens * (0.4 + 1.2 * jitter())),
    calls: callsOf(name, category, index),
    wall_ms: (name === "whyrank" ? 14 : 90) * (0.5 + jitter()),
    cpu_ms: name === "codegraph" ? null : (name === "whyrank" ? 11 : 70) * (0.5 + jitter()),
    expected,
    expected_note: category === "P5" ? "not dead" : "",
    met,
    found: isFailed ? [] : foundOf(expected, met, wrong),
    verdicts: isFailed ? [] : verdictsOf(right, wrong),
    found_note: category === "P5" ? (right > 0 ? "not dead" : "dead") : "",
    text,
    query_id:
      name === "whyrank" && ["search", "NLDOC", "NLFIX"].includes(category) ? "q-demo" : null,
    error: isFailed ? "grep: exceeded 30 s" : null,
    unsupported: isUnsupported,
  };
}

function questionOf(category: Category, index: number): string {
  const name = NAMES[index % NAMES.length] ?? "";
  if (["search", "NLDOC", "NLFIX"].includes(category))
    return `${QUESTIONS[index % QUESTIONS.length]} (${index})`;
  if (category === "P4") return `importers of src/router/reg-exp-router/part-${index}/router.ts`;
  if (category === "P5") return `is ${name}_${index} (src/lib/module_${index}.rs:41) dead?`;
  return `${name}_${index} (src/lib/module_${index}.rs:41)`;
}

function expectedOf(index: number, category: Category): Place[] {
  if (category === "P5") return [];
  const n = category === "P1" || category === "search" ? 1 : 2 + (index % 5);
  return Array.from({ length: n }, (_, at) => ({
    file: `src/router/reg-exp-router/${at % 2 ? "handlers-and-validators" : "node"}/part-${index}.ts`,
    line: category === "P4" ? 0 : 12 + at * 37,
    end_line: category === "NLDOC" ? 40 + at * 37 : 0,
    symbol: category === "CALLERS" ? `Router.call_${at}` : null,
  }));
}

function foundOf(expected: Place[], met: boolean[], wrong: number): Place[] {
  const right = expected.filter((_, at) => met[at]);
  const others = Array.from({ length: wrong + 1 }, (_, at) => ({
    file: at === 0 ? "tests/router.test.ts" : `vendor/other/file-${at}.ts`,
    line: 100 + at,
    end_line: 0,
    symbol: null,
  }));
  return [...right, ...others];
}

function verdictsOf(right: number, wrong: number): Verdict[] {
  return [
    ...Array.from({ length: right }, () => "right" as const),
    "optional",
    ...Array.from({ length: wrong }, () => "wrong" as const),
  ];
}

function scoresOf(
  category: Category,
  right: number,
  wrong: number,
  wanted: number,
  random: () => number,
): Scores {
  if (HEADLINE[category]) {
    const rank = right > 0 ? 1 + Math.floor(random() * random() * 4) : 0;
    const mrr = rank > 0 ? 1 / rank : 0;
    const recall = right / wanted;
    return {
      "mrr@10": mrr,
      "ndcg@10": Math.min(1, mrr * 0.5 + recall * 0.5),
      "recall@1": rank === 1 ? recall : 0,
      "recall@10": recall,
      recall,
      ...(category === "NLFIX" ? { "span mrr@10": mrr * 0.4, "span recall@10": recall / 4 } : {}),
    };
  }
  const found = right + wrong;
  if (wanted === 0) {
    const value = wrong === 0 ? 1 : 0;
    return { f1: value, precision: value, recall: value };
  }
  const precision = found > 0 ? right / found : 0;
  const recall = right / wanted;
  const f1 = right > 0 ? (2 * precision * recall) / (precision + recall) : 0;
  return { f1, precision, recall };
}

function callsOf(name: string, category: Category, index: number) {
  const symbol = `${NAMES[index % NAMES.length]}_${index}`;
  if (name === "whyrank")
    return [{ tool: category === "P1" ? "define" : "search", arguments: `{"query":"${symbol}"}` }];
  const grep = { tool: "grep", arguments: `-rnw --include=*.ts ${symbol} . | head -100` };
  return name.includes("grep") ? [grep, { tool: "cat", arguments: "src/router.ts" }] : [grep];
}

function textOf(name: string, expected: Place[], met: boolean[]): string {
  const lines = expected
    .filter((_, at) => met[at])
    .map(
      (place) => `${place.file}:${place.line || 1}: export class Router<T> implements Trie<T> {`,
    );
  return [`# ${lines.length} results of ${name}`, ...lines, "  match(method, path) {", "  }"].join(
    "\n",
  );
}

function lineOf(answer: TaskResult): TaskLine {
  const { suite, task, subject, repo, language, category, stratum, question, headline } = answer;
  return {
    ...{ suite, task, subject, repo, language, category, stratum, question, headline },
    value: answer.scores[headline] ?? 0,
    tokens: answer.tokens,
    calls: answer.calls.length,
    wall_ms: answer.wall_ms,
    error: answer.error,
    unsupported: answer.unsupported,
  };
}

function taskOf(run: MockRun, suite: unknown, subject: unknown, task: unknown): TaskResult {
  const found = answersOf(run).find(
    (one) => one.suite === suite && one.subject === subject && one.task === task,
  );
  if (found) return found;
  const failure: EngineFailure = {
    code: "bad-argument",
    message: `${subject} has no answer to ${task} in this run.`,
    hint: "Choose another subject.",
  };
  throw failure;
}

const GROUPS: { by: GroupBy; name: (answer: TaskResult) => string | null }[] = [
  { by: "all", name: () => "" },
  { by: "without-p5", name: ({ category }) => (category === "P5" ? null : "") },
  { by: "category", name: ({ category }) => category },
  { by: "language", name: ({ language }) => language },
  { by: "repository", name: ({ repo }) => repo },
  { by: "stratum", name: ({ category, stratum }) => `${category} ${stratum}` },
];

function summarize(run: MockRun): Summary {
  const given = answersOf(run);
  const { plans: _plans, bias: _bias, isPerfect: _isPerfect, ...info } = run;
  return {
    run: info,
    rows: run.suites.flatMap((suite) => rowsOf(run, given, suite)),
    pairs: run.suites.flatMap((suite) => pairsOf(run, given, suite)),
    defects: run.suites.includes(ORIGINAL.name)
      ? [
          {
            suite: ORIGINAL.name,
            task: null,
            text: "The truth of P2 is word-grep: 28 % of its places are comments or strings.",
          },
          { suite: ORIGINAL.name, task: "p5-express-003", text: "The expected set is empty." },
        ]
      : [],
  };
}

function rowsOf(run: MockRun, given: TaskResult[], suite: string): SummaryRow[] {
  const lines = given.filter((one) => one.suite === suite && !one.unsupported);
  return GROUPS.flatMap(({ by, name }) => {
    const names = [...new Set(lines.map(name))].filter((one): one is string => one !== null);
    return names.flatMap((group) =>
      run.subjects.flatMap((subject) => {
        const own = lines.filter((one) => one.subject === subject.name && name(one) === group);
        return own.length > 0 ? [rowOf(suite, subject.name, { by, name: group }, own)] : [];
      }),
    );
  });
}

function rowOf(
  suite: string,
  subject: string,
  group: SummaryRow["group"],
  lines: TaskResult[],
): SummaryRow {
  const headlines = new Set(lines.map((line) => line.headline));
  const metrics = [...new Set(lines.flatMap((line) => Object.keys(line.scores)))] as Metric[];
  const cost = (line: TaskResult) => line.tokens / Math.max(0.01, line.scores.recall ?? 0);
  const gated = lines.filter((line) => (line.scores.f1 ?? scoreOf(line)) >= 0.8);
  const wall = lines.map((line) => line.wall_ms).sort((a, b) => a - b);
  const cpu = lines.flatMap((line) => line.cpu_ms ?? []);
  const scores: Scores = {};
  for (const metric of metrics)
    scores[metric] = mean(lines.flatMap((line) => line.scores[metric] ?? []));
  return {
    suite,
    subject,
    group,
    n: lines.length,
    errors: lines.filter((line) => line.error !== null).length,
    headline: headlines.size === 1 ? (lines[0]?.headline ?? null) : null,
    value: withinShares(estimate(lines.map(scoreOf))),
    scores,
    tokens: estimate(lines.map((line) => line.tokens)),
    calls: mean(lines.map((line) => line.calls.length)),
    wall_p50_ms: wall[Math.floor(wall.length * 0.5)] ?? 0,
    wall_p95_ms: wall[Math.floor(wall.length * 0.95)] ?? 0,
    cpu_ms: cpu.length > 0 ? mean(cpu) : null,
    tokens_per_correct: mean(lines.map(cost)),
    gated_tokens_per_correct: gated.length > 0 ? mean(gated.map(cost)) : null,
    n_gated: gated.length,
  };
}

function pairsOf(run: MockRun, given: TaskResult[], suite: string): PairRow[] {
  const [main, ...rivals] = run.subjects.map((subject) => subject.name);
  const lines = given.filter((one) => one.suite === suite && !one.unsupported);
  const categories = [null, ...new Set(lines.map((line) => line.category))];
  return categories.flatMap((category) =>
    rivals.flatMap((rival) => {
      const inCategory = lines.filter((one) => category === null || one.category === category);
      const of = (name?: string) => inCategory.filter((one) => one.subject === name);
      const pairs = matched(of(rival), of(main));
      if (pairs.length === 0 || !main) return [];
      const tokens = pairedOf(pairs, (one) => one.tokens);
      return [{ suite, category, subject: main, rival, paired: pairedOf(pairs, scoreOf), tokens }];
    }),
  );
}

type Pair = [base: TaskResult, other: TaskResult];

function matched(base: TaskResult[], other: TaskResult[]): Pair[] {
  const key = (one: TaskResult) => `${one.suite} ${one.task}`;
  const others = new Map(other.map((one) => [key(one), one]));
  return base.flatMap((one): Pair[] => {
    const twin = others.get(key(one));
    return twin ? [[one, twin]] : [];
  });
}

function pairedOf(pairs: Pair[], of: (one: TaskResult) => number): Paired {
  const differences = pairs.map(([base, other]) => of(other) - of(base));
  return {
    n: pairs.length,
    base: mean(pairs.map(([base]) => of(base))),
    other: mean(pairs.map(([, other]) => of(other))),
    difference: estimate(differences),
    wins: differences.filter((one) => one > 1e-9).length,
    losses: differences.filter((one) => one < -1e-9).length,
  };
}

function compare(base: MockRun, other: MockRun): Comparison {
  const [first, second] = [base, other].map((run) =>
    answersOf(run).filter((one) => !one.unsupported),
  ) as [TaskResult[], TaskResult[]];
  const names = [...new Set(first.map((one) => one.subject))];
  const by = (lines: TaskResult[], name: string) => lines.filter((one) => one.subject === name);
  const pairs = names.flatMap((name) => matched(by(first, name), by(second, name)));
  const keys = new Map<string, Pair[]>();
  for (const pair of pairs) {
    for (const category of ["", pair[0].category]) {
      const key = `${pair[0].suite}\n${pair[0].subject}\n${category}`;
      const members = keys.get(key) ?? [];
      members.push(pair);
      keys.set(key, members);
    }
  }
  const groups = [...keys].map(([key, members]) => {
    const [suite = "", subject = "", category = ""] = key.split("\n");
    return {
      suite,
      subject,
      category: category === "" ? null : (category as Category),
      value: pairedOf(members, scoreOf),
      tokens: pairedOf(members, (one) => one.tokens),
    };
  });
  const tasks = pairs
    .filter(([a, b]) => Math.abs(scoreOf(a) - scoreOf(b)) > 1e-9)
    .map(([a, b]) => ({ ...lineOf(a), base: scoreOf(a), other: scoreOf(b) }));
  return {
    base: base.id,
    other: other.id,
    groups: groups.sort((a, b) => a.value.difference.mean - b.value.difference.mean),
    tasks: tasks.sort((a, b) => a.other - a.base - (b.other - b.base)),
    unmatched: first.length + second.length - 2 * pairs.length,
  };
}

function scoreOf(answer: TaskResult): number {
  return answer.scores[answer.headline] ?? 0;
}

function mean(values: number[]): number {
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0;
}

function estimate(values: number[]): Estimate {
  const middle = mean(values);
  const spread = mean(values.map((value) => (value - middle) ** 2));
  const half = 1.96 * Math.sqrt(spread / Math.max(1, values.length - 1));
  return { mean: middle, low: middle - half, high: middle + half };
}

function withinShares({ mean: middle, low, high }: Estimate): Estimate {
  return { mean: middle, low: Math.max(0, low), high: Math.min(1, high) };
}

/** Mulberry32: small and seeded. */
function randomFrom(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
