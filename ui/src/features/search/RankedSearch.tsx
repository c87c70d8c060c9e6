// Ranked search: the hits, why they rank there, and the file of the chosen one.

import { type RefObject, useEffect, useMemo } from "react";
import { askAsBefore, useScope } from "../../app/scope";
import type { Selection } from "../../app/selection";
import { session } from "../../app/session";
import { Behind } from "../../components/Behind";
import { useDebounced } from "../../components/useDebounced";
import { type Hit, type SearchRequest, useSearch } from "../../ipc";
import { FacetColumn } from "./FacetColumn";
import { Footer } from "./Footer";
import { HitList } from "./HitList";
import { HitPreview } from "./HitPreview";
import { Memos } from "./Memos";
import { Panes } from "./Panes";
import { addFilter, toggleFilter } from "./query";
import { RerankNotice } from "./RerankNotice";
import { Results } from "./Results";
import { rememberQuery } from "./recent";
import { asRequest, sameRequest } from "./request";
import { useChosenHit } from "./useChosenHit";
import { useHitActs } from "./useHitActs";
import { usePages } from "./usePages";
import { useReranking } from "./useReranking";
import { useSearchKeys } from "./useSearchKeys";
import type { AskedQuery } from "./useSearchQuery";
import { useVerdicts } from "./useVerdicts";

/** From when on typing rests: what a half-typed word finds is not judged. */
const REST_MS = 600;

/** Why nothing fits well, once nobody types any more. */
function usePoorFit(text: string, why: string | null): string | null {
  const rested = useDebounced(text, REST_MS);
  return rested === text ? why : null;
}

export function RankedSearch(props: {
  repo: string;
  asked: AskedQuery;
  boxRef: RefObject<HTMLInputElement | null>;
  listRef: RefObject<HTMLDivElement | null>;
  /** What explains the chosen hit, for the box. */
  explainRef: RefObject<(() => void) | undefined>;
  facetsOpen: boolean;
  /** Rows are there. */
  onShown: () => void;
  /** Tells why nothing fits well, or that something does. */
  onPoorFit: (why: string | null) => void;
}) {
  const { repo, asked, listRef } = props;
  const { query, settled, change } = asked;
  const text = settled.text;
  const { scope } = useScope();
  const { limit, more, isLast } = usePages(`${repo} ${scope?.name} ${text}`);
  const request = useMemo(
    () => asRequest(repo, text, limit, scope?.name),
    [repo, text, limit, scope?.name],
  );
  const answer = useSearch(request, asked.isTyping);
  const stale = answer.isPlaceholderData || text !== query.text;
  const reranking = useReranking(request, answer.data, stale);
  const hits = reranking?.hits ?? answer.data?.hits ?? NO_HITS;
  const isAsked = text.trim() !== "";
  const hasFacets = props.facetsOpen && hits.length > 0 && isAsked;
  const { chosen, hit, keys, setChosen, move } = useChosenHit(hits, request, query.text);
  const hasMore = !reranking?.hits && hits.length === limit && !isLast;
  useEffect(() => {
    if (!answer.data || answer.isPlaceholderData) return;
    const { query_id: queryId, elapsed_ms: elapsedMs } = answer.data;
    const { last } = session.get();
    const before = last && sameRequest(last.request, request) ? last : undefined;
    const replaced = before?.queryId === queryId ? before.replaced : before?.queryId;
    session.set({ last: { text, request, queryId, replaced, elapsedMs, chosen } });
  }, [answer.data, answer.isPlaceholderData, request, text, chosen]);

  useEffect(askAsBefore, []);
  const acts = useHitActs({
    ...{ repo, hit, queryId: answer.data?.query_id },
    onLeave: () => rememberQuery(query),
  });
  const { of, explain, showGraph, remember } = acts;
  props.explainRef.current = () => explain(hit);
  useSearchKeys({ ...acts.keys, box: props.boxRef, list: listRef, onMove: move });
  const selection = useSelected(of, hit, request, answer.data?.query_id);

  const verdictOf = useVerdicts();
  const poorFit = usePoorFit(query.text, (!stale && isAsked && answer.data?.poor_fit) || null);
  const { onPoorFit } = props;
  useEffect(() => {
    onPoorFit(poorFit);
    return () => onPoorFit(null);
  }, [poorFit, onPoorFit]);
  return (
    <>
      <Behind asOf={request.as_of} />
      <Memos memos={stale ? [] : (answer.data?.memos ?? [])} />
      {!stale && isAsked && <RerankNotice reranking={reranking} />}
      <div
        className="search-body"
        data-facets={hasFacets || undefined}
        data-poor={poorFit !== null || undefined}
      >
        {answer.data && hasFacets && (
          <FacetColumn
            facets={answer.data.facets}
            filters={request.filters}
            unit="result"
            onToggle={(name, value) => change({ text: toggleFilter(query.text, name, value) })}
          />
        )}
        <Results
          answer={answer}
          repo={repo}
          query={settled}
          nothing={hits.length === 0 && "nothing"}
          onQuery={change}
          onShown={props.onShown}
        >
          <Panes
            selection={selection}
            list={
              <HitList
                listRef={listRef}
                hits={hits}
                keys={keys}
                before={reranking?.state === "moved" ? reranking.answer?.rerank?.before : undefined}
                stale={stale}
                verdictOf={verdictOf}
                onMore={hasMore ? more : undefined}
                chosen={hits.indexOf(hit as Hit)}
                onChoose={setChosen}
                onExplain={explain}
                onGraph={showGraph}
                onMemo={remember}
              />
            }
            code={
              <HitPreview
                repo={of}
                asOf={request.as_of}
                hit={hit}
                hits={hits}
                onExplain={() => explain(hit)}
                onGraph={() => showGraph(hit)}
                onPin={() => remember(hit)}
                onFile={(path) => change({ text: addFilter(query.text, "file", path) })}
              />
            }
          />
        </Results>
      </div>
      {answer.data && isAsked && <Footer repo={repo} answer={answer.data} stale={stale} />}
    </>
  );
}

const NO_HITS: Hit[] = [];

/** The chosen hit, as the lenses know it. */
function useSelected(
  repo: string,
  hit: Hit | undefined,
  { as_of: asOf }: SearchRequest,
  queryId: string | undefined,
): Selection | undefined {
  return useMemo(() => {
    if (!hit) return undefined;
    const { path, start_line: line, end_line: endLine, symbol } = hit;
    return { repo, asOf, path, line, endLine, symbol, hit, queryId: queryId ?? null };
  }, [repo, hit, asOf, queryId]);
}
