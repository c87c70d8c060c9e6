import { describe, expect, it } from "vitest";
import type { Trace, TraceRow } from "../../ipc";
import { addsUp, comparedLabel, formula, fusedRanks, TOLERANCE, termsOf } from "./arithmetic";
import { layOut, scaleOf } from "./ContributionBar";
import { sortRows } from "./sort";

const RUN: Pick<Trace, "rrf_k" | "weights"> = {
  rrf_k: 60,
  weights: [
    { channel: "fts", prior: 1, effective: 1, reason: "" },
    { channel: "path", prior: 1.5, effective: 1.5, reason: "" },
  ],
};

function row(ranks: { fts?: number; path?: number }, evidence: number[], rank = 1): TraceRow {
  const channels = [
    ...(ranks.fts ? [{ channel: "fts" as const, rank: ranks.fts, weight: 1 }] : []),
    ...(ranks.path ? [{ channel: "path" as const, rank: ranks.path, weight: 1.5 }] : []),
  ].map(({ channel, rank, weight }) => ({
    channel,
    rank,
    raw_score: 9.1,
    contribution: weight / (60 + rank),
    way: null,
  }));
  const fused = channels.reduce((sum, entry) => sum + entry.contribution, 0);
  return {
    rank,
    path: `src/${rank}.ts`,
    start_line: 3,
    end_line: 9,
    symbol: null,
    channels,
    evidence: evidence.map((contribution, index) => ({
      name: `evidence-${index}`,
      contribution,
      reason: "because",
    })),
    fused,
    score: evidence.reduce((sum, one) => sum + one, fused),
    shown: true,
    late: null,
    stages: null,
    alignment: null,
  };
}

describe("terms", () => {
  it("sum to the score", () => {
    for (const one of [row({ fts: 3 }, []), row({ fts: 1, path: 40 }, [0.004, -0.02])]) {
      expect(addsUp(termsOf(one, RUN), one.score)).toBe(true);
    }
  });

  it("say so when they do not", () => {
    const one = row({ fts: 3 }, []);
    expect(addsUp(termsOf(one, RUN), one.score + 1e-6)).toBe(false);
  });

  it("show their arithmetic", () => {
    expect(formula(1, 60, 3, 1 / 63)).toBe("1.0 / (60 + 3) = 0.0159");
    expect(formula(0.75, 60, 1, 0.75 / 61)).toBe("0.75 / (60 + 1) = 0.0123");
  });

  it("claim no formula that does not give the value", () => {
    expect(formula(1, 60, 3, 0.5)).toBe("rank 3 adds 0.500");
    expect(formula(undefined, 60, 3, 0.5)).toBe("rank 3 adds 0.500");
  });
});

describe("the bar", () => {
  const rows = [row({ fts: 1, path: 2 }, [-0.01]), row({ fts: 9 }, [0.004], 2)];
  const terms = rows.map((one) => termsOf(one, RUN));

  it("has segments whose widths sum to the score", () => {
    const scale = scaleOf(terms);
    const unit = 1000 / (scale.positive + scale.negative);
    for (const [index, one] of rows.entries()) {
      const signed = layOut(terms[index] ?? [], scale).reduce(
        (sum, { term, width }) => sum + Math.sign(term.value) * width,
        0,
      );
      expect(Math.abs(signed / unit - one.score)).toBeLessThan(TOLERANCE);
    }
  });

  it("draws negative terms left of zero", () => {
    const scale = scaleOf(terms);
    const zero = (scale.negative / (scale.positive + scale.negative)) * 1000;
    for (const { term, x, width } of layOut(terms[0] ?? [], scale)) {
      if (term.value < 0) expect(x + width).toBeLessThanOrEqual(zero + 1e-9);
      else expect(x).toBeGreaterThanOrEqual(zero - 1e-9);
    }
  });
});

describe("order", () => {
  const rows = [row({ fts: 5 }, [0.1], 1), row({ path: 1 }, [], 2), row({ fts: 1 }, [], 3)];

  it("puts rows that a channel did not find last, either way", () => {
    const ranks = (descending: boolean) =>
      sortRows(rows, { by: "fts", descending }).map((one) => one.rank);
    expect(ranks(false)).toEqual([3, 1, 2]);
    expect(ranks(true)).toEqual([1, 3, 2]);
  });

  it("knows where fusion alone would have put a row", () => {
    const fused = fusedRanks(rows);
    expect(rows.map((one) => fused.get(one))).toEqual([3, 1, 2]);
  });
});

it("names a channel and a piece of evidence as the rest of the page does", () => {
  expect(comparedLabel("fts")).toBe("Full text");
  expect(comparedLabel("file-lexical")).toBe("Text match of the file");
  expect(comparedLabel("static-score")).toBe("Static similarity");
});
