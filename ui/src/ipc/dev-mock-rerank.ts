// The third stage of the stand-in engine: a reranker that swaps hits, and hits compared with each other.

import type {
  HitComparison,
  RerankRecord,
  RerankSettings,
  RerankTest,
  SearchResponse,
  Trace,
  TraceRow,
} from "./types";

export const RERANK: RerankSettings = {
  mode: "off",
  top_n: 30,
  time_limit_s: 60,
  snippet_tokens: 256,
  endpoint: "",
  endpoint_model: "",
  key_env: "",
  allow_plain_http: false,
  agents_wait_s: 0,
};

const BACKEND = "qwen2.5-coder at localhost:11434";

export function rerankTest(settings: RerankSettings): RerankTest {
  if (settings.mode === "http" && settings.endpoint === "") {
    throw {
      code: "bad-argument",
      message: "the reranker has no endpoint",
      hint: "give one such as http://localhost:11434/v1 or https://api.example.com/v1",
    };
  }
  return {
    backend: BACKEND,
    ok: true,
    sentence: "it answers in the right form, with the right snippet first",
    answer: "[2] > [1]",
    elapsed_ms: 1840,
  };
}

/** The third hit comes first. */
export function rerankedAnswer(
  response: SearchResponse,
  traces: Map<string, Trace>,
): SearchResponse {
  const order = [2, 0, 1, ...response.hits.keys()].filter((at, place, all) => {
    return at < response.hits.length && all.indexOf(at) === place;
  });
  const before = order.map((at) => at + 1);
  const hits = order.flatMap((at, place) => {
    const hit = response.hits[at];
    return hit ? [{ ...hit, rank: place + 1 }] : [];
  });
  const record = recordOf(before);
  const trace = traces.get(response.query_id);
  if (trace) {
    trace.rerank = record;
    trace.timings = [
      ...trace.timings.filter((timing) => timing.stage !== "rerank"),
      {
        stage: "rerank",
        elapsed_ms: record.elapsed_ms,
        budget_ms: 60_000,
        n_in: record.n_asked,
        n_out: record.n_moved,
        skipped: null,
      },
    ];
  }
  return {
    ...response,
    hits,
    rerank: {
      backend: BACKEND,
      sentence: `3 of ${response.hits.length} hits moved in 2.4 s`,
      complete: true,
      cancelled: false,
      n_asked: response.hits.length,
      n_moved: 3,
      elapsed_ms: 2400,
      before,
    },
  };
}

function recordOf(after: number[]): RerankRecord {
  const before = after.map((_, at) => at + 1);
  return {
    backend: BACKEND,
    n_asked: after.length,
    n_moved: 3,
    n_windows: 1,
    windows: [
      {
        first: 1,
        before,
        after,
        answer: "[3] > [1] > [2]",
        remarks: after.length > 3 ? [`${after.length - 3} not named, kept in their order`] : [],
        snippet_tokens: 256,
        prompt_tokens: 2310,
        elapsed_ms: 2400,
      },
    ],
    elapsed_ms: 2400,
    cut: null,
    timed_out: false,
    cancelled: false,
  };
}

/** A part of the engine's words, enough to see the sentences. */
export function comparison(
  trace: Trace | undefined,
  one: number,
  other: number,
): HitComparison | null {
  const row = (rank: number) => trace?.rows.find((candidate) => candidate.rank === rank);
  const [first, second] = [row(Math.min(one, other)), row(Math.max(one, other))];
  if (!first || !second) return null;
  const name = (of: TraceRow) => `${of.symbol ?? of.path} (#${of.rank})`;
  const by = first.score - second.score;
  return {
    ahead: first.rank,
    behind: second.rank,
    by,
    sentence: `${name(first)} is ahead of ${name(second)} by ${by.toFixed(4)}`,
    terms: differences(first, second),
  };
}

/** What the scores differ by, the largest first; together it is the whole difference. */
function differences(first: TraceRow, second: TraceRow): HitComparison["terms"] {
  const ranks = (row: TraceRow) => row.channels.map((one) => ({ ...one, name: one.channel }));
  const signals = (row: TraceRow) => [...ranks(row), ...row.evidence];
  const of = (row: TraceRow, name: string) => signals(row).find((one) => one.name === name);
  const names = [...new Set([...signals(first), ...signals(second)].map((one) => one.name))];
  return names
    .map((name) => {
      const [one, other] = [of(first, name), of(second, name)];
      const by = (one?.contribution ?? 0) - (other?.contribution ?? 0);
      return { name, by, words: differenceWords(one, other) };
    })
    .filter((term) => Math.abs(term.by) > 1e-4)
    .sort((a, b) => Math.abs(b.by) - Math.abs(a.by));
}

type Signal = { rank?: number; reason?: string };

/** In the engine's words: ranks of a channel, or the reasons of a piece of evidence. */
function differenceWords(one: Signal | undefined, other: Signal | undefined): string {
  if (one?.rank !== undefined && other?.rank !== undefined)
    return `ranks it #${one.rank}, the other #${other.rank}`;
  if (one?.rank !== undefined) return `ranks it #${one.rank} and does not find the other`;
  if (other?.rank !== undefined) return `does not find it and ranks the other #${other.rank}`;
  if (!other) return `${one?.reason}; the other has none`;
  return one ? `${one.reason}; the other: ${other.reason}` : `has none; the other: ${other.reason}`;
}
