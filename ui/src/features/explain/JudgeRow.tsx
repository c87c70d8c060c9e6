// "Right" and "wrong" on a row of a trace, of the repository in which it lies.

import { Judge } from "../../components/Judge";
import { judgedPlace } from "../../components/judged";
import { repositoryOf } from "../../components/repository-of";
import { type Trace, type TraceRow, useRepos } from "../../ipc";

export function JudgeRow({ trace, row }: { trace: Trace; row: TraceRow }) {
  const { data: repos = [] } = useRepos();
  const repo = repositoryOf(row, trace.repo, repos);
  // A trace of a repository that was removed is nobody's to judge.
  if (!repos.some(({ id }) => id === repo)) return null;
  const asked = { repo, query: trace.query, asOf: trace.as_of ?? null };
  return <Judge asked={asked} place={judgedPlace(row)} />;
}
