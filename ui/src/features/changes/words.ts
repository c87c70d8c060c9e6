// What a review comes to, in words.

import { count, plural } from "../../components/format";
import type {
  BrokenImports,
  ReviewedSymbol,
  ReviewResponse,
  RiskKind,
  SymbolChange,
} from "../../ipc";

const CHANGE_WORDS: Record<SymbolChange, string> = {
  new: "new",
  changed: "changed",
  signature: "signature changed",
  renamed: "renamed",
  removed: "removed",
};

/** `renamed from tax_of`, `moved from src/old.py`. */
export function changeWords({ change, symbol, from }: ReviewedSymbol): string {
  if (!from) return CHANGE_WORDS[change];
  return from.qualified === symbol.qualified
    ? `moved from ${from.path}`
    : `renamed from ${from.qualified}`;
}

export const RISK_WORDS: Record<RiskKind, string> = {
  removed: "Removed",
  signature: "Signature",
  heritage: "Inheritance",
  callers: "Callers",
  untested: "Untested",
  central: "Central",
  size: "Size",
  duplicate: "Near-duplicate",
};

/** `1 file imports it still`. */
export function importersWords({ n_importers }: BrokenImports): string {
  return `${plural(n_importers, "file")} ${n_importers === 1 ? "imports" : "import"} it still`;
}

/** High, medium and low are told by the word beside the number, not by the colour alone. */
export function riskTone(risk: number): "high" | "medium" | "low" {
  return risk >= 60 ? "high" : risk >= 25 ? "medium" : "low";
}

export function isNothing(review: ReviewResponse): boolean {
  return [
    review.symbols,
    review.broken_imports,
    review.others,
    review.removed_files,
    review.moved_files,
    review.unread,
  ].every((list) => list.length === 0);
}

/** Definitions, files, highest risk, and what deserves a look first. */
export function summaryOf(review: ReviewResponse): string[] {
  const { symbols } = review;
  const risks = [...symbols, ...review.broken_imports].map((one) => one.risk);
  const highest = risks.reduce((one, other) => Math.max(one, other), 0);
  const has = (kind: RiskKind) =>
    symbols.filter((one) => one.reasons.some((reason) => reason.kind === kind)).length;
  const nCallers = symbols.reduce((sum, one) => sum + one.n_callers, 0);
  const said: [number, string][] = [
    [nCallers, `${plural(nCallers, "caller")} did not follow`],
    [has("duplicate"), plural(has("duplicate"), "near-duplicate")],
    [
      has("heritage"),
      plural(has("heritage"), "broken interface or override", "broken interfaces or overrides"),
    ],
    [review.broken_imports.length, plural(review.broken_imports.length, "broken import path")],
  ];
  const head = `${plural(symbols.length, "definition")} in ${plural(review.files.length, "file")}`;
  const risk = risks.length > 0 ? [`highest risk ${count(highest)} of 100`] : [];
  return [head, ...risk, ...said.filter(([n]) => n > 0).map(([, words]) => words)];
}

/** A reference as people say it. */
export function referenceWords(reference: string): string {
  if (reference === "") return "Uncommitted, against HEAD";
  if (/^\S+\^!$/.test(reference)) return `Commit ${reference.slice(0, -2)}`;
  if (/^[0-9a-f]{7,40}$/.test(reference)) return `Since commit ${reference}`;
  if (reference.includes("..")) return `Range ${reference}`;
  return `Since it left ${reference}`;
}

/** The paths that a review names, each once. */
export function pathsOf(review: ReviewResponse): Set<string> {
  return new Set([
    ...review.files.map((file) => file.path),
    ...review.symbols.map((one) => one.symbol.path),
    ...review.others,
    ...review.removed_files,
    ...review.unread.map(({ path }) => path),
    ...review.moved_files.flatMap((moved) => [moved.from, moved.path]),
  ]);
}
