// A trace with vectors of tokens, which the demo has none of: words that answer words, and a gate that lets them.

import type { Alignment, GateVerdict, QueryToken, Trace } from "../ipc";

const WORDS = ["tri", "e", "router", "match", "children", "of", "a", "segment"];
const QUERY_TOKENS: QueryToken[] = WORDS.map((text) => ({ text, continues: text === "e" }));

const RUNS: GateVerdict = {
  runs: true,
  reason: "high-entropy",
  sentence: "runs: entropy 0.61 against 0.25, margin 0.42 against 2.00",
  checks: [
    { name: "entropy", value: 0.61, threshold: 0.25, at_most: true, sure: false },
    { name: "margin", value: 0.42, threshold: 2, at_most: false, sure: false },
  ],
};

/** What the gate says where its thresholds are met. */
export const SURE: GateVerdict = {
  runs: false,
  reason: "confident",
  sentence: "skipped, the first stage is sure: entropy 0.61 against 1.00",
  checks: RUNS.checks.map((check) => ({ ...check, sure: true })),
};

/** The same trace, had a token model read its rows. */
export function withTokens(trace: Trace): Trace {
  const { gate, rows } = trace;
  if (!gate) throw new Error("the trace has no gate");
  return {
    ...trace,
    gate: {
      ...gate,
      missing: null,
      features: { ...gate.features, entropy: 0.61, z_margin: 0.42 },
      verdict: RUNS,
    },
    refine: {
      n_done: rows.length,
      n_asked: rows.length,
      n_without_tokens: 0,
      n_tokens: 5_720,
      query_tokens: QUERY_TOKENS,
      query_ms: 4.1,
      search_ms: 8.3,
      mean: 5.2,
      deviation: 0.7,
      per_deviation: 0,
      file_per_deviation: 0.0082,
      cut: null,
    },
    rows: rows.map((row, at) => {
      const late = { rank: at + 1, score: 6.4 - at * 0.02 };
      const alignment = row.shown ? alignmentOf(row.start_line, late.score) : null;
      return { ...row, late, alignment };
    }),
  };
}

function alignmentOf(line: number, score: number): Alignment {
  const pair = (query: number, score: number, [below, column]: [number, number], text: string) => ({
    ...{ query, score, line: line + below, column, length: text.length, text },
  });
  const pairs = [
    pair(4, 0.97, [2, 22], "children"),
    pair(2, 0.91, [0, 0], ""),
    pair(7, 0.84, [4, 32], "seg"),
    pair(0, 0.78, [0, 0], ""),
    pair(1, 0.62, [0, 0], ""),
    pair(3, 0.44, [1, 8], "node"),
    pair(5, 0.31, [3, 17], "this"),
  ];
  return { score, pairs, rest: score - pairs.reduce((sum, one) => sum + one.score, 0) };
}
