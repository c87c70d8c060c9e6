// Judged hits by the question that was asked.

import type { JudgedHit } from "../../ipc";

export interface JudgedQuestion {
  key: string;
  repo: string;
  query: string;
  asOf: string | null;
  /** Right ones first. */
  hits: JudgedHit[];
}

/** Questions in the order of their newest judgement. */
export function byQuestion(judged: readonly JudgedHit[]): JudgedQuestion[] {
  const questions = new Map<string, JudgedQuestion>();
  for (const hit of judged.toSorted((a, b) => b.at - a.at)) {
    const asOf = hit.as_of ?? null;
    const key = JSON.stringify([hit.repo, hit.query, asOf]);
    const question = questions.get(key) ?? {
      key,
      repo: hit.repo,
      query: hit.query,
      asOf,
      hits: [],
    };
    question.hits.push(hit);
    questions.set(key, question);
  }
  for (const { hits } of questions.values())
    hits.sort((a, b) => Number(b.verdict === "right") - Number(a.verdict === "right"));
  return [...questions.values()];
}

/** Only a question with a right hit can be asked again: there is something to find. */
export const taskCount = (questions: readonly JudgedQuestion[]): number =>
  questions.filter(({ hits }) => hits.some(({ verdict }) => verdict === "right")).length;
