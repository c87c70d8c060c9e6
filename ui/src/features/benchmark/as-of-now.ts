// A run under way as its progress tells it, which is newer than its line in the catalog.

import type { RunInfo, RunProgress } from "../../ipc";

/** The run with the progress's counts and state, if that is the run's and the run has not ended. */
export function asOfNow(run: RunInfo, progress: RunProgress | null | undefined): RunInfo {
  if (run.id !== progress?.id || run.state !== "running") return run;
  return {
    ...run,
    state: progress.state,
    n_done: progress.done,
    n_wanted: progress.wanted || run.n_wanted,
  };
}
