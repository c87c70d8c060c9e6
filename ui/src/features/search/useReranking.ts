// The hits in the order that is shown: fused at once, the reranker's when it has come.

import { useEffect, useState } from "react";
import { useDebounced } from "../../components/useDebounced";
import {
  cancelRerank,
  type Hit,
  type RerankProgress,
  type RerankSettings,
  type SearchRequest,
  type SearchResponse,
  useReranked,
  useRerankProgress,
  useSettings,
} from "../../ipc";

/** A question is put to the reranker once nobody types any more. */
const SETTLED_MS = 900;

export interface Reranking {
  settings: RerankSettings;
  hits: Hit[];
  state: "idle" | "working" | "moved" | "kept" | "undone" | "failed";
  answer: SearchResponse | undefined;
  progress: RerankProgress | undefined;
  /** What kept it from being asked. */
  error: string | undefined;
  stop: () => void;
  again: () => void;
  undo: () => void;
  redo: () => void;
}

export function useReranking(
  request: SearchRequest,
  fused: SearchResponse | undefined,
  stale: boolean,
): Reranking | undefined {
  const rerank = useSettings().data?.rerank;
  const settled = useDebounced(request, SETTLED_MS);
  const [undone, setUndone] = useState<string>();
  const queryId = fused?.query_id;
  const isOn = rerank !== undefined && rerank.mode !== "off";
  const isAsked = isOn && !stale && settled === request && (fused?.hits.length ?? 0) > 1;
  const answer = useReranked(request, isAsked);
  const progress = useRerankProgress(queryId);
  const isWorking = isAsked && answer.isFetching;

  // Another question, or another screen: nobody waits for this one any more.
  useEffect(() => {
    if (isWorking && queryId) return () => cancelRerank(queryId);
  }, [isWorking, queryId]);

  if (!isOn || !fused) return undefined;
  const fits = !stale && answer.data?.query_id === queryId && answer.data?.rerank;
  const note = fits ? answer.data?.rerank : undefined;
  const state = () => {
    if (isWorking) return "working";
    if (isAsked && answer.isError) return "failed";
    if (!note) return "idle";
    if (note.n_moved === 0) return "kept";
    return undone === queryId ? "undone" : "moved";
  };
  const now = state();
  return {
    settings: rerank,
    state: now,
    hits: now === "moved" && answer.data ? answer.data.hits : fused.hits,
    answer: fits ? answer.data : undefined,
    progress,
    error: answer.error
      ? [answer.error.message, answer.error.hint].filter(Boolean).join(" — ")
      : undefined,
    stop: () => queryId && cancelRerank(queryId),
    again: () => void answer.refetch(),
    undo: () => setUndone(queryId),
    redo: () => setUndone(undefined),
  };
}
