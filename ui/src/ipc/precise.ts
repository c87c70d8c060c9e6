// Compiler indexes: which indexers fit a repository, running them, how far they are.

import { useQuery } from "@tanstack/react-query";
import { type Answered, ask, useChange } from "./ask";
import { commands } from "./bindings";
import { keys } from "./hooks";
import type { IndexerConsent, PrecisePlan, PreciseProgress, PreciseReport } from "./types";

export const preciseKey = (repo: string) => ["precise", repo] as const;
export const preciseProgressKey = (repo: string) => ["precise-progress", repo] as const;

export function usePrecisePlan(repo: string): Answered<PrecisePlan> {
  return useQuery({
    queryKey: preciseKey(repo),
    queryFn: () => ask<PrecisePlan>(commands.precisePlan(repo)),
    retry: false,
  });
}

/** The last word of each indexer of this session, by its name; filled from events. */
export function usePreciseProgress(repo: string): Record<string, PreciseProgress> {
  const { data } = useQuery<Record<string, PreciseProgress>>({
    queryKey: preciseProgressKey(repo),
    queryFn: () => ({}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data ?? {};
}

export function useRunIndexers(repo: string) {
  return useChange<IndexerConsent[], PreciseReport>(
    (agreed) => commands.runIndexers(repo, agreed),
    preciseKey(repo),
    keys.health(repo),
  );
}

export function useCancelIndexers(repo: string) {
  return useChange<void, null>(() => commands.cancelIndexers(repo));
}

export function useForgetPrecise(repo: string) {
  return useChange<void, null>(
    () => commands.forgetPrecise(repo),
    preciseKey(repo),
    keys.health(repo),
  );
}
