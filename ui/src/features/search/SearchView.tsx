// Search: a box, the hits, and the file of the chosen one.

import "./search.css";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { navigate, showInGraph, useRoute } from "../../app/route";
import { session } from "../../app/session";
import { copyAndSay } from "../../components/copy";
import { useEditor } from "../../components/OpenInEditor";
import { Split } from "../../components/Splitter";
import { Failure, Loading } from "../../components/states";
import { useDebounced } from "../../components/useDebounced";
import { type Hit, useLiveJob, useRepos, useSearch } from "../../ipc";
import { FacetColumn } from "./FacetColumn";
import { Footer } from "./Footer";
import { HitList } from "./HitList";
import { Memos } from "./Memos";
import { PreviewPane } from "./PreviewPane";
import { addFilter } from "./query";
import { RerankNotice } from "./RerankNotice";
import { NoRepository, PoorFit, Results } from "./Results";
import { rememberQuery } from "./recent";
import { asRequest, keyOf, reference, sameRequest } from "./request";
import { SearchBox } from "./SearchBox";
import { useReranking } from "./useReranking";
import { useSearchKeys } from "./useSearchKeys";

const DEBOUNCE_MS = 80;
/** Hits that are asked for at a time. */
const PAGE = 50;
const MOST = 500;

export function SearchView() {
  const { params } = useRoute();
  const { repo } = session.use();
  const repos = useRepos();
  const [text, setText] = useState(params.q ?? "");
  const settled = useDebounced(text, DEBOUNCE_MS);
  const [chosen, setChosen] = useState(() => session.get().last?.chosen ?? 0);
  const [facetsOpen, setFacetsOpen] = useState(() => window.innerWidth >= 1180);
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);

  const question = `${repo} ${settled}`;
  const [pages, setPages] = useState({ question, n: 1 });
  const limit = Math.min(MOST, PAGE * (pages.question === question ? pages.n : 1));
  const request = useMemo(() => asRequest(repo, settled, limit), [repo, settled, limit]);
  const answer = useSearch(request);
  const stale = answer.isPlaceholderData || settled !== text;
  const reranking = useReranking(request, answer.data, stale);
  const hits = reranking?.hits ?? answer.data?.hits ?? [];
  const hasFacets = hits.length > 0 && settled.trim() !== "";
  const hit = hits[Math.min(chosen, hits.length - 1)];
  const hasMore = !reranking?.hits && hits.length === limit && limit < MOST;
  const more = useCallback(
    () => setPages({ question, n: Math.ceil(limit / PAGE) + 1 }),
    [question, limit],
  );

  // The route follows the box; the box follows the route only when someone else wrote it.
  const written = useRef(params.q ?? "");
  useEffect(() => {
    const q = params.q ?? "";
    if (q !== written.current) setText(q);
    written.current = q;
  }, [params.q]);
  useEffect(() => {
    if (settled === written.current) return;
    written.current = settled;
    navigate({ view: "search", params: { q: settled } }, { replace: true });
  }, [settled]);
  // A new question starts at its first hit; one that is come back to, where it was left.
  const asked = useRef(session.get().last?.text === text ? request : undefined);
  useEffect(() => {
    if (asked.current && sameRequest(asked.current, request)) return;
    asked.current = request;
    setChosen(0);
  }, [request]);
  // A hit that was chosen stays chosen where it goes.
  const chosenKey = useRef<string>(undefined);
  useEffect(() => {
    const at = hits.findIndex((one) => keyOf(one) === chosenKey.current);
    if (at > 0) setChosen((old) => (old > 0 ? at : old));
  }, [hits]);
  useEffect(() => {
    chosenKey.current = hit && keyOf(hit);
  }, [hit]);
  useEffect(() => {
    if (!answer.data || answer.isPlaceholderData) return;
    const { query_id, elapsed_ms } = answer.data;
    session.set({
      last: { text: settled, request, queryId: query_id, elapsedMs: elapsed_ms, chosen },
    });
  }, [answer.data, answer.isPlaceholderData, request, settled, chosen]);

  const explain = useCallback(
    (of: Hit | undefined) => {
      if (!answer.data || !of) return;
      rememberQuery(text);
      // A hit shows its whole definition, a row the part that was found: ranks are the same.
      navigate({ view: "explain", id: answer.data.query_id, params: { row: `#${of.rank}` } });
    },
    [answer.data, text],
  );
  const showGraph = (of: Hit | undefined) => {
    if (!of) return;
    rememberQuery(text);
    showInGraph(of);
  };

  const remember = (of: Hit | undefined) => {
    if (!of) return;
    rememberQuery(text);
    const anchor = `${of.path}:${of.start_line}-${of.end_line}`;
    navigate({ view: "memory", params: { new: "1", anchor } });
  };

  const editor = useEditor();
  useSearchKeys({
    box,
    list,
    onMemo: () => remember(hit),
    onMove: (by) => setChosen((old) => clamp(old + by, hits.length)),
    onExplain: () => explain(hit),
    onGraph: () => showGraph(hit),
    onCopy: () => hit && copyAndSay(reference(hit)),
    onEditor: () => hit && editor.open(hit.path, hit.start_line),
  });

  const poorFit = (!stale && settled.trim() !== "" && answer.data?.poor_fit) || null;
  const current = repos.data?.find((one) => one.id === repo);
  const job = useLiveJob(repo);
  if (repos.isPending) return <Loading label="Reading repositories" />;
  if (repos.isError) return <Failure error={repos.error} onRetry={() => repos.refetch()} />;
  if (!current) return <NoRepository />;

  return (
    <section className="view search" aria-label="Search">
      <h1 className="visually-hidden">Search</h1>
      <SearchBox
        inputRef={box}
        repo={repo}
        text={text}
        facetsOpen={facetsOpen}
        onFacets={() => setFacetsOpen((open) => !open)}
        onText={setText}
        onLeave={(how) => {
          rememberQuery(text);
          if (how === "explain") explain(hit);
          else list.current?.focus();
        }}
      />
      <Memos memos={stale ? [] : (answer.data?.memos ?? [])} />
      {!stale && settled.trim() !== "" && <RerankNotice reranking={reranking} />}
      {poorFit && <PoorFit why={poorFit} />}
      <div
        className="search-body"
        data-facets={(facetsOpen && hasFacets) || undefined}
        data-poor={poorFit !== null || undefined}
      >
        {facetsOpen && answer.data && hasFacets && (
          <FacetColumn
            facets={answer.data.facets}
            filters={request.filters}
            onAdd={(name, value) => setText((old) => addFilter(old, name, value))}
          />
        )}
        <Results
          answer={answer}
          text={settled}
          stale={stale}
          indexed={current.chunks > 0}
          indexing={job !== undefined}
          onText={setText}
        >
          <Split
            id="search"
            share={0.46}
            first={
              <HitList
                listRef={list}
                hits={hits}
                before={reranking?.state === "moved" ? reranking.answer?.rerank?.before : undefined}
                stale={stale}
                onMore={hasMore ? more : undefined}
                chosen={hits.indexOf(hit as Hit)}
                onChoose={setChosen}
                onExplain={explain}
                onGraph={showGraph}
                onMemo={remember}
              />
            }
            second={
              <PreviewPane
                repo={repo}
                asOf={request.as_of}
                hit={hit}
                hits={hits}
                onExplain={() => explain(hit)}
                onGraph={() => showGraph(hit)}
                onPin={() => remember(hit)}
                onFile={(path) => setText((old) => addFilter(old, "file", path))}
              />
            }
          />
        </Results>
      </div>
      {answer.data && settled.trim() !== "" && <Footer answer={answer.data} stale={stale} />}
    </section>
  );
}

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(length - 1, index));
}
