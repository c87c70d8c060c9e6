// The benchmark's types as the window uses them.

import type * as raw from "./bindings";
import type { Finite } from "./types";

export type ExportFormat = "html" | "md" | "json" | "csv";

export type Category = raw.Category;
export type Comparison = Finite<raw.Comparison>;
export type Defect = raw.Defect;
export type Estimate = Finite<raw.Estimate>;
export type GroupBy = raw.GroupBy;
export type GroupDifference = Finite<raw.GroupDifference>;
export type Metric = raw.Metric;
export type Paired = Finite<raw.Paired>;
export type PairRow = Finite<raw.PairRow>;
export type RepositoryInfo = Finite<raw.RepositoryInfo>;
export type RunInfo = Finite<raw.RunInfo>;
export type RunProgress = Finite<raw.RunProgress>;
export type RunRequest = Required<raw.RunRequest>;
export type RunState = raw.RunState;
export type Scores = { [metric in Metric]?: number };
export type SubjectChoice = raw.SubjectChoice;
export type SubjectInfo = raw.SubjectInfo;
export type SuiteChoice = raw.SuiteChoice;
export type Summary = Finite<raw.Summary>;
export type SummaryRow = Finite<raw.SummaryRow>;
export type TaskDifference = Finite<raw.TaskDifference>;
export type TaskLine = Finite<raw.TaskLine>;
export type Verdict = raw.Verdict;

/** The engine always sends the lines; only task files may leave them out. */
export type Place = raw.Place & { line: number; end_line: number };

export type TaskResult = Omit<Finite<raw.TaskResult>, "expected" | "found"> & {
  expected: Place[];
  found: Place[];
};
