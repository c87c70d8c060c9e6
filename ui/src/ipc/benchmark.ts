// The benchmark's types as the window uses them.

import type * as raw from "./bindings";
import type { Complete } from "./types";

export type ExportFormat = "html" | "md" | "json" | "csv";

export type Category = raw.Category;
export type Comparison = raw.Comparison;
export type Defect = raw.Defect;
export type Estimate = raw.Estimate;
export type GroupBy = raw.GroupBy;
export type GroupDifference = raw.GroupDifference;
export type Metric = raw.Metric;
export type Paired = raw.Paired;
export type PairRow = raw.PairRow;
export type RepositoryInfo = raw.RepositoryInfo;
export type RunInfo = raw.RunInfo;
export type RunProgress = raw.RunProgress;
export type RunRequest = Complete<raw.RunRequest>;
export type RunState = raw.RunState;
export type Scores = { [metric in Metric]?: number };
export type SubjectChoice = raw.SubjectChoice;
export type SubjectInfo = raw.SubjectInfo;
export type SuiteChoice = raw.SuiteChoice;
export type Summary = raw.Summary;
export type SummaryRow = raw.SummaryRow;
export type TaskDifference = raw.TaskDifference;
export type TaskLine = raw.TaskLine;
export type Verdict = raw.Verdict;

export type Place = raw.Place;
export type TaskResult = raw.TaskResult;
