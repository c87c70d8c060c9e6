import { expect, it } from "vitest";
import type { Channel, Trace, TraceRow } from "../../ipc";
import { refuse } from "./refuse";
import { withFactors } from "./useSaveFactors";
import { whyOf } from "./why";

type Terms = Partial<Record<Channel, number>>;

/** A row by what each channel brings, and its evidence in the order in which it was added. */
function row(
  rank: number,
  path: string,
  terms: Terms,
  evidence: [string, number][] = [],
): TraceRow {
  const channels = Object.entries(terms).map(([channel, contribution]) => ({
    channel: channel as Channel,
    rank,
    raw_score: 1,
    contribution,
    way: null,
  }));
  const fused = channels.reduce((sum, one) => sum + one.contribution, 0);
  return {
    rank,
    path,
    start_line: rank,
    end_line: rank + 1,
    symbol: `s${rank}`,
    channels,
    evidence: evidence.map(([name, contribution]) => ({ name, contribution, reason: "" })),
    fused,
    score: evidence.reduce((sum, [, by]) => sum + by, fused),
    shown: true,
    late: null,
    stages: null,
    alignment: null,
  };
}

const trace = (...rows: TraceRow[]) => ({ rows, rrf_k: 60, weights: [] }) as unknown as Trace;
const places = (of: Trace, factors = {}) => refuse(of, factors).map((one) => one.was.path);

const ROUTES = trace(
  row(1, "routes.ts", { path: 0.03, fts: 0.01 }, [["file-name", 0.02]]),
  row(2, "router.ts", { fts: 0.02, vector: 0.02 }, [["lexical-score", 0.01]]),
  row(3, "router.test.ts", { fts: 0.03, vector: 0.03 }, [
    ["lexical-score", 0.04],
    ["test-file", -0.07],
  ]),
  row(4, "routes.ts", { path: 0.03 }, [["file-name", 0.01]]),
);

it("keeps the order of the trace while nothing is moved", () => {
  expect(places(ROUTES)).toEqual(["routes.ts", "router.ts", "router.test.ts", "routes.ts"]);
  for (const { was, now } of refuse(ROUTES, {})) expect(now.score).toBeCloseTo(was.score, 12);
});

it("moves a channel's evidence with its ranks", () => {
  expect(places(ROUTES, { path: 0 })[0]).toBe("router.ts");
  const first = refuse(ROUTES, { path: 0 }).find((one) => one.was.rank === 1);
  expect(first?.now.score).toBeCloseTo(0.01, 12);
});

it("lets a demoted row keep its share, however its score changes", () => {
  const test = refuse(ROUTES, { fts: 2 }).find((one) => one.was.path === "router.test.ts");
  expect(test?.now.score).toBeCloseTo((0.06 + 0.03 + 0.08) * 0.3, 12);
});

it("puts a further hit of a file behind the files, whatever it scores", () => {
  expect(places(ROUTES, { path: 3 }).at(-1)).toBe("routes.ts");
});

it("says what carries a hit and what would change its rank", () => {
  const [first, , third] = ROUTES.rows as [TraceRow, TraceRow, TraceRow];
  expect(whyOf(ROUTES, first)).toMatchObject({
    lead: "ranks first: Path carries 83% of its evidence.",
    turn: "Without Path it would be #3.",
  });
  const why = whyOf(ROUTES, third);
  expect(why.counterfactuals).toContainEqual({
    group: null,
    what: "the test file demotion",
    rank: 1,
    standIn: null,
  });
  expect(why.turn).toMatch(/without|Without/);
});

it("names the part of the file that would be shown instead", () => {
  const twins = trace(
    row(1, "a.ts", { fts: 0.03, path: 0.03 }),
    row(2, "b.ts", { fts: 0.01 }),
    row(3, "a.ts", { fts: 0.04 }),
  );
  expect(whyOf(twins, twins.rows[0] as TraceRow).turn).toBe(
    "Without Path, s3 of the same file would take its place.",
  );
});

it("says that no signal decides alone where none does", () => {
  const even = trace(row(1, "a.ts", { fts: 0.05, vector: 0.05 }), row(2, "b.ts", { fts: 0.01 }));
  expect(whyOf(even, even.rows[0] as TraceRow).turn).toMatch(
    /^Robust: still #\d+ without any single signal/,
  );
});

it("saves a factor as the weight and as the coefficients of its evidence", () => {
  const settings = { weights: [{ channel: "fts", weight: 1.5 }], evidence: { lexical_score: 2 } };
  const standard = { lexical_score: 3.5, lexical_file: 3 };
  const saved = withFactors(settings as never, standard, { fts: 0.5 });
  expect(saved.weights).toEqual([{ channel: "fts", weight: 0.75 }]);
  expect(saved.evidence).toEqual({ lexical_score: 1, lexical_file: 1.5 });
});
