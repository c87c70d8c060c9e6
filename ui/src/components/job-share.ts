// How far a job is, told as the repository's row tells it.

import type { JobProgress } from "../ipc";

/** How many chunks have a vector, of all: a job that goes on counts what was left for it alone. */
export function vectorsOf(job: JobProgress, nChunks: number): { done: number; total: number } {
  const had = Math.max(0, nChunks - job.total);
  return { done: had + job.done, total: had + job.total };
}

/** The share of the stage that is under way; `null` while its extent is unknown. */
export function shareOf(job: JobProgress, nChunks: number): number | null {
  const { done, total } = job.lane === "vector" ? vectorsOf(job, nChunks) : job;
  return total > 0 ? Math.min(1, done / total) : null;
}
