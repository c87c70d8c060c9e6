// What the person said of the hits that are shown, for the question that was asked.

import { session } from "../../app/session";
import { judgedPlace, verdictOn } from "../../components/judged";
import { repositoryOf } from "../../components/repository-of";
import { type Hit, type HitVerdict, useJudgedHits, useRepos } from "../../ipc";

export function useVerdicts(): (hit: Hit) => HitVerdict | null {
  const { last } = session.use();
  const judged = useJudgedHits().data ?? [];
  const { data: repos = [] } = useRepos();
  if (!last || judged.length === 0) return () => null;
  const { repo, query, as_of: asOf } = last.request;
  return (hit) =>
    verdictOn(judged, { repo: repositoryOf(hit, repo, repos), query, asOf }, judgedPlace(hit));
}
