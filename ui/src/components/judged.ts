// What a person said of a hit: found again by the question and the place, as the engine tells them apart.

import { sayFailure, sayWithUndo } from "../app/notices";
import {
  type HitVerdict,
  type JudgedHit,
  type JudgedPlace,
  type JudgeRequest,
  useJudge,
  useJudgedHits,
} from "../ipc";

/** What was asked of one repository, as it is kept. */
export interface Asked {
  repo: string;
  query: string;
  asOf: string | null;
}

/** A hit or a row of a trace, as a place to judge. */
export function judgedPlace(found: JudgedPlace): JudgedPlace {
  const { path, start_line, end_line, symbol } = found;
  return { path, start_line, end_line, symbol: symbol ?? null };
}

/** A definition is the same wherever it stands in its file; other places go by their first line. */
export function isSamePlace(one: JudgedPlace, other: JudgedPlace): boolean {
  if (one.path !== other.path || (one.symbol ?? null) !== (other.symbol ?? null)) return false;
  return one.symbol ? true : one.start_line === other.start_line;
}

/** `null` where nothing was said. A commit is kept by its whole id: a shorter one is its beginning. */
export function verdictOn(
  judged: readonly JudgedHit[],
  asked: Asked,
  place: JudgedPlace,
): HitVerdict | null {
  const isAsked = (hit: JudgedHit) =>
    hit.repo === asked.repo &&
    hit.query === asked.query.trim() &&
    (asked.asOf ? !!hit.as_of?.startsWith(asked.asOf) : !hit.as_of);
  return judged.find((hit) => isAsked(hit) && isSamePlace(hit.place, place))?.verdict ?? null;
}

export const VERDICT_WORDS: Record<HitVerdict, string> = { right: "Right", wrong: "Wrong" };

/** Judges and says so, with the way back to what was said before. */
export function useJudging() {
  const judge = useJudge();
  const send = async (request: JudgeRequest, isUndo = false) => {
    const before = await judge.mutateAsync(request).catch((error) => {
      sayFailure(error);
      return undefined;
    });
    if (before === undefined || isUndo) return;
    const text = saidOf(request);
    sayWithUndo(text, () => void send({ ...request, verdict: before }, true));
  };
  return { send, isPending: judge.isPending };
}

function saidOf({ place, verdict }: JudgeRequest): string {
  const name = place.symbol ?? `${place.path.split("/").pop()}:${place.start_line}`;
  if (verdict === "right") return `${name} is right: the suite “judged” asks for it`;
  if (verdict === "wrong") return `${name} is wrong: the suite “judged” counts it against`;
  return `${name} is judged no more`;
}

/** What was said of a place, and how to say it. The same verdict again takes it back. */
export function useJudgement(asked: Asked, place: JudgedPlace) {
  const judged = useJudgedHits();
  const { send, isPending } = useJudging();
  const verdict = verdictOn(judged.data ?? [], asked, place);
  const judge = (said: HitVerdict) =>
    void send({
      repo: asked.repo,
      query: asked.query,
      as_of: asked.asOf,
      place,
      verdict: said === verdict ? null : said,
    });
  return { verdict, judge, error: judged.error, isBusy: isPending || judged.isPending };
}
