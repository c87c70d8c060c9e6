// Hits that the person called right or wrong.

import { useQuery } from "@tanstack/react-query";
import { type Answered, ask, useChange } from "./ask";
import type * as raw from "./bindings";
import { commands } from "./bindings";

export type HitVerdict = raw.HitVerdict;
export type JudgedHit = raw.JudgedHit;
export type JudgedPlace = raw.JudgedPlace;
export type JudgeRequest = raw.JudgeRequest;

const keys = { judged: ["judged"], suites: ["bench-suites"] } as const;

/** All that was judged, of every repository. */
export function useJudgedHits(): Answered<JudgedHit[]> {
  return useQuery({
    queryKey: keys.judged,
    queryFn: () => ask<JudgedHit[]>(commands.judgedHits()),
    staleTime: 60_000,
    retry: false,
  });
}

/** Judges a hit, or takes it back; answers with what was said before. */
export function useJudge() {
  return useChange<JudgeRequest, HitVerdict | null>(
    (request) => commands.judge(request),
    keys.judged,
    keys.suites,
  );
}
