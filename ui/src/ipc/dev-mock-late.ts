// The second stage of the stand-in engine: a gate's figures, and words that answer words.

import type {
  Alignment,
  GateCheck,
  GateFeatures,
  GateRecord,
  GateSettings,
  GateVerdict,
  QueryToken,
  RefineRecord,
  StageStats,
} from "./types";

export const GATE: GateSettings = {
  mode: "gated",
  thresholds: { max_entropy: 0.25, min_margin: 2, min_peak: 4, min_agreement: 0.5 },
};

const FEATURES: GateFeatures = {
  n_candidates: 46,
  z_margin: 0.42,
  z_peak: 5.1,
  entropy: 0.61,
  agreement: 0.34,
  id_hit: false,
  shape: "natural-language",
  n_words: 3,
  time_left_ms: 281,
  expected_ms: 14.2,
};

export const gateOf = (): GateRecord => ({
  settings: GATE,
  features: FEATURES,
  missing: null,
  verdict: gateVerdict(GATE, FEATURES, null),
});

/** A part of the engine's rules, enough to see the sliders answer. */
export function gateVerdict(
  settings: GateSettings,
  features: GateFeatures,
  missing: string | null,
): GateVerdict {
  const set = settings.thresholds;
  const check = (
    name: GateCheck["name"],
    value: number,
    threshold: number,
    at_most = false,
  ): GateCheck => ({
    name,
    value,
    threshold,
    at_most,
    sure: at_most ? value <= threshold : value >= threshold,
  });
  const checks = [
    check("entropy", features.entropy, set.max_entropy, true),
    check("margin", features.z_margin, set.min_margin),
    check("peak", features.z_peak, set.min_peak),
    check("agreement", features.agreement ?? 0, set.min_agreement),
  ];
  const tell = (sure: boolean) =>
    checks
      .filter((one) => one.sure === sure)
      .map((one) => `${one.name} ${one.value.toFixed(2)} against ${one.threshold.toFixed(2)}`)
      .join(", ");
  const skip = (reason: GateVerdict["reason"], sentence: string) => ({
    runs: false,
    reason,
    sentence,
    checks,
  });
  if (settings.mode === "never") return skip("disabled", "skipped: switched off in the settings");
  if (missing) return skip("index-missing", `skipped: ${missing}`);
  if (settings.mode === "always") {
    const sentence = "runs: set to run for every query";
    return { runs: true, reason: "always", sentence, checks };
  }
  return checks.every((one) => one.sure)
    ? skip("confident", `skipped, the first stage is sure: ${tell(true)}`)
    : { runs: true, reason: "high-entropy", sentence: `runs: ${tell(false)}`, checks };
}

export const QUERY_TOKENS: QueryToken[] = [
  { text: "tri", continues: false },
  { text: "e", continues: true },
  { text: "router", continues: false },
  { text: "match", continues: false },
  { text: "children", continues: false },
  { text: "of", continues: false },
  { text: "a", continues: false },
  { text: "segment", continues: false },
];

export const REFINED: RefineRecord = {
  n_done: 46,
  n_asked: 46,
  n_without_tokens: 2,
  n_tokens: 5_720,
  query_tokens: [],
  query_ms: 4.1,
  search_ms: 8.3,
  mean: 5.2,
  deviation: 0.7,
  per_deviation: 0,
  file_per_deviation: 0.0082,
  cut: null,
};

export function alignmentOf(line: number, score: number): Alignment {
  const pair = (
    query: number,
    score: number,
    lines: number,
    column: number,
    length: number,
    text: string,
  ) => ({ query, score, line: line + lines, column, length, text });
  const pairs = [
    pair(4, 0.97, 2, 22, 8, "children"),
    pair(2, 0.91, 0, 0, 0, ""),
    pair(7, 0.84, 4, 32, 3, "seg"),
    pair(0, 0.78, 0, 0, 0, ""),
    pair(1, 0.62, 0, 0, 0, ""),
    pair(3, 0.44, 1, 8, 4, "node"),
    pair(5, 0.31, 3, 17, 4, "this"),
  ];
  const listed = pairs.reduce((sum, one) => sum + one.score, 0);
  return { score, pairs, rest: score - listed };
}

export const STATS: StageStats = {
  n_answers: 100,
  timers: [
    { name: "channels_ms", n: 100, p50_ms: 11.9, p95_ms: 41.2 },
    { name: "graph_ms", n: 74, p50_ms: 1.1, p95_ms: 2.9 },
    { name: "evidence_ms", n: 100, p50_ms: 1.7, p95_ms: 3.3 },
    { name: "refine_ms", n: 61, p50_ms: 10.4, p95_ms: 22.8 },
    { name: "present_ms", n: 100, p50_ms: 0.4, p95_ms: 1.1 },
  ],
  counters: [
    { name: "warp_runs", n: 61 },
    { name: "warp_skipped_gate", n: 37 },
    { name: "warp_skipped_timeout", n: 2 },
    { name: "gate_decisions", n: 100 },
  ],
  movements: [
    { stage: "evidence", n_hits: 940, n_moved: 702, n_entered: 211 },
    { stage: "refine", n_hits: 590, n_moved: 233, n_entered: 31 },
  ],
};
