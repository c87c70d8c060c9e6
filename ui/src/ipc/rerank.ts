// The reranker: an answer in another order some seconds later, and hits compared with each other.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Answered, ask, useChange } from "./ask";
import { commands } from "./bindings";
import { keys } from "./hooks";
import { askFresh } from "./looks";
import type {
  HitComparison,
  RerankProgress,
  RerankSettings,
  RerankTest,
  SearchRequest,
  SearchResponse,
} from "./types";

export const rerankKey = ["reranked"] as const;
export const rerankProgressKey = (queryId: string) => ["rerank-progress", queryId] as const;

/** The answer as the reranker orders it. Asked once: the engine keeps whole orders. */
export function useReranked(request: SearchRequest, enabled: boolean): Answered<SearchResponse> {
  const client = useQueryClient();
  return useQuery({
    queryKey: [...rerankKey, request],
    queryFn: async () => {
      const answer = await askFresh<SearchResponse>(client, commands.searchReranked(request));
      // The trace has a stage more than when it was read.
      void client.invalidateQueries({ queryKey: keys.explain(answer.query_id) });
      return answer;
    },
    enabled: enabled && request.repo !== "" && request.query.trim() !== "",
    // What was stopped by leaving the screen is asked for again on coming back.
    staleTime: ({ state }) => (state.data?.rerank?.cancelled ? 0 : Number.POSITIVE_INFINITY),
    refetchOnWindowFocus: false,
    retry: false,
  });
}

/** How far the reranking of an answer is; filled from events. */
export function useRerankProgress(queryId: string | undefined): RerankProgress | undefined {
  const { data } = useQuery<RerankProgress | null>({
    queryKey: rerankProgressKey(queryId ?? ""),
    queryFn: () => null,
    enabled: false,
  });
  return data ?? undefined;
}

/** Stops a reranking; what is finished of it counts. */
export function cancelRerank(queryId: string): void {
  void ask(commands.cancelRerank(queryId)).catch(() => undefined);
}

export function useTestReranker() {
  return useChange<RerankSettings, RerankTest>((settings) => commands.testReranker(settings));
}

/** Why one hit of an answer stands before another, in words. */
export function useComparison(
  queryId: string,
  one: number,
  other: number | undefined,
): Answered<HitComparison> {
  return useQuery({
    queryKey: [...keys.explain(queryId), "compare", one, other],
    queryFn: () => ask<HitComparison>(commands.compareHits(queryId, one, other ?? 0)),
    enabled: other !== undefined && other !== one,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
