// Types and commands of reviews, until the bindings have them.

import { invoke } from "@tauri-apps/api/core";
import type { SymbolLine } from "./graph";

export type SymbolChange = "new" | "changed" | "signature" | "removed";
export type RiskKind =
  | "removed"
  | "signature"
  | "heritage"
  | "callers"
  | "untested"
  | "central"
  | "size"
  | "duplicate";
export interface RiskReason {
  kind: RiskKind;
  text: string;
  points: number;
}
export interface UnchangedCaller {
  path: string;
  line: number;
  name: string | null;
  test: boolean;
}
export interface ReviewedSymbol {
  symbol: SymbolLine;
  change: SymbolChange;
  was: string | null;
  n_lines: number;
  risk: number;
  reasons: RiskReason[];
  callers: UnchangedCaller[];
  n_callers: number;
  n_tests: number;
}
export interface ReviewedFile {
  path: string;
  risk: number;
  n_lines: number;
  n_symbols: number;
}
export interface MovedFile {
  from: string;
  path: string;
  n_lines: number;
}
export interface BrokenImports {
  path: string;
  now: string | null;
  risk: number;
  n_importers: number;
  importers: UnchangedCaller[];
}
export interface UnreadChange {
  path: string;
  reason: string;
}
export interface ReviewRequest {
  repo?: string;
  reference?: string;
  path?: string | null;
  max_files?: number;
}
export interface ReviewResponse {
  base: string;
  notes: string[];
  without: string;
  symbols: ReviewedSymbol[];
  files: ReviewedFile[];
  others: string[];
  broken_imports: BrokenImports[];
  moved_files: MovedFile[];
  removed_files: string[];
  unread: UnreadChange[];
  n_left_out: number;
}
export interface MainBranch {
  name: string;
  base: string;
  n_ahead: number;
}
export interface ChangeState {
  branch: string | null;
  head: string | null;
  under_way: string | null;
  staged: string[];
  unstaged: string[];
  untracked: string[];
  conflicted: string[];
  n_left_out: number;
  main: MainBranch | null;
}
export interface FileDiffRequest {
  repo?: string;
  reference?: string;
  path?: string;
}
export type LineKind = "context" | "added" | "removed";
export interface HunkLine {
  kind: LineKind;
  old: number | null;
  new: number | null;
  text: string;
}
export interface DiffHunk {
  old_start: number;
  new_start: number;
  lines: HunkLine[];
}
export interface FileDiff {
  path: string;
  from: string | null;
  hunks: DiffHunk[];
  note: string;
}

const typed = (asked: Promise<unknown>) =>
  asked.then(
    (data) => ({ status: "ok" as const, data }),
    (error) => ({ status: "error" as const, error }),
  );

export const commands = {
  reviewDiff: (request: ReviewRequest) => typed(invoke("review_diff", { request })),
  changeState: (repo: string) => typed(invoke("change_state", { repo })),
  fileDiff: (request: FileDiffRequest) => typed(invoke("file_diff", { request })),
};
