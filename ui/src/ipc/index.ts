// The window's one door to the shell.

export * from "./agents";
export type {
  Category,
  Comparison,
  Defect,
  Estimate,
  ExportFormat,
  GroupBy,
  GroupDifference,
  Metric,
  Paired,
  PairRow,
  Place,
  RepositoryInfo,
  RunInfo,
  RunProgress,
  RunRequest,
  RunState,
  Scores,
  SubjectChoice,
  SubjectInfo,
  SuiteChoice,
  Summary,
  SummaryRow,
  TaskDifference,
  TaskLine,
  TaskResult,
  Verdict,
} from "./benchmark";
export * from "./benchmark-hooks";
export { EVIDENCE_TERMS } from "./bindings";
export * from "./blame";
export * from "./changes";
export * from "./desktop";
export * from "./editors";
export { useEngineEvents } from "./events";
export * from "./graph";
export * from "./hooks";
export * from "./judged";
export * from "./looks";
export * from "./matches";
export * from "./memory";
export * from "./names";
export { choosePath, chooseSavePath, copyText, useDroppedPath } from "./platform";
export * from "./precise";
export * from "./rerank";
export type * from "./types";
export * from "./updates";
