// Search: a box, the hits, and the file of the chosen one.

import "./search.css";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { hasMod, inTextField } from "../../app/platform-keys";
import { navigate, showInGraph, useRoute } from "../../app/route";
import { session } from "../../app/session";
import { Button } from "../../components/controls";
import { copyAndSay } from "../../components/copy";
import { Icon } from "../../components/Icon";
import { useEditor } from "../../components/OpenInEditor";
import { Split } from "../../components/Splitter";
import { Empty, Failure, Loading } from "../../components/states";
import { useDebounced } from "../../components/useDebounced";
import { type Hit, type SearchRequest, useLiveJob, useRepos, useSearch } from "../../ipc";
import { FacetColumn } from "./FacetColumn";
import { Footer } from "./Footer";
import { HitList } from "./HitList";
import { Memos } from "./Memos";
import { PreviewPane } from "./PreviewPane";
import { addFilter, parseQuery } from "./query";
import { RerankNotice } from "./RerankNotice";
import { recentQueries, rememberQuery } from "./recent";
import { SearchBox } from "./SearchBox";
import { useReranking } from "./useReranking";

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
        data-facets={(facetsOpen && hits.length > 0) || undefined}
        data-poor={poorFit !== null || undefined}
      >
        {facetsOpen && answer.data && hits.length > 0 && (
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
                hit={hit}
                hits={hits}
                onExplain={() => explain(hit)}
                onGraph={() => showGraph(hit)}
                onPin={() => remember(hit)}
              />
            }
          />
        </Results>
      </div>
      {answer.data && settled.trim() !== "" && <Footer answer={answer.data} stale={stale} />}
    </section>
  );
}

function Results(props: {
  answer: ReturnType<typeof useSearch>;
  text: string;
  stale: boolean;
  indexed: boolean;
  indexing: boolean;
  onText: (text: string) => void;
  children: React.ReactNode;
}) {
  const { answer, text } = props;
  const toRepositories = () => navigate({ view: "repositories" });
  if (answer.isError) return <Failure error={answer.error} onRetry={() => answer.refetch()} />;
  if (!props.indexed && props.indexing) {
    return (
      <Empty action={<Button onPress={toRepositories}>Show progress</Button>}>
        The repository is being indexed. It can be searched as soon as its lexical lane is done.
      </Empty>
    );
  }
  if (!props.indexed) {
    return (
      <Empty
        action={
          <Button kind="primary" onPress={toRepositories}>
            Go to repositories
          </Button>
        }
      >
        This repository has no index yet.
      </Empty>
    );
  }
  if (text.trim() === "") return <Start onText={props.onText} />;
  if (answer.isPending) return <Loading label="Searching" />;
  if (answer.data.hits.length === 0) {
    const bare = parseQuery(text).text;
    return (
      <Empty
        action={
          bare !== text && (
            <Button onPress={() => props.onText(bare)}>Search without filters</Button>
          )
        }
      >
        Nothing matches <q>{text}</q>.
      </Empty>
    );
  }
  return props.children;
}

/** A list always has a first row; this says that even it does not answer. */
function PoorFit({ why }: { why: string }) {
  return (
    <p className="poor-fit" role="status" data-testid="poor-fit">
      <Icon name="warn" />
      {why.charAt(0).toUpperCase() + why.slice(1)}.
    </p>
  );
}

function Start({ onText }: { onText: (text: string) => void }) {
  const recent = recentQueries()[0];
  return (
    <Empty
      action={recent && <Button onPress={() => onText(recent)}>Search “{recent}” again</Button>}
    >
      Type a name, a path, an error message, or what the code does.
    </Empty>
  );
}

function NoRepository() {
  return (
    <Empty
      action={
        <Button kind="primary" onPress={() => navigate({ view: "repositories" })}>
          Go to repositories
        </Button>
      }
    >
      Choose a repository to search.
    </Empty>
  );
}

/** The keys of the screen, wherever the focus is, save in a text field. */
function useSearchKeys(keys: {
  box: React.RefObject<HTMLInputElement | null>;
  list: React.RefObject<HTMLDivElement | null>;
  onMove: (by: number) => void;
  onExplain: () => void;
  onGraph: () => void;
  onMemo: () => void;
  onCopy: () => void;
  onEditor: () => void;
}) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { box, onMove, onExplain, onGraph, onMemo, onCopy, onEditor } = latest.current;
      if (event.defaultPrevented || document.querySelector(".scrim")) return;
      if (inTextField(event) || event.altKey) return;
      const selecting = !window.getSelection()?.isCollapsed;
      if (hasMod(event)) {
        if (event.key === "Enter") onExplain();
        else if (event.key === "c" && !selecting) onCopy();
        else return;
      } else if (event.key === "/") {
        box.current?.focus();
        box.current?.select();
      } else if (event.key === "Escape" && inCode(event)) latest.current.list.current?.focus();
      else if (event.key === "Escape" && inList(event)) box.current?.focus();
      else if (inCode(event) && ["j", "k"].includes(event.key)) return;
      else if (event.key === "j" || (event.key === "ArrowDown" && inList(event))) onMove(1);
      else if (event.key === "k" || (event.key === "ArrowUp" && inList(event))) onMove(-1);
      else if (event.key === "e") onExplain();
      else if (event.key === "g") onGraph();
      else if (event.key === "m") onMemo();
      else if (event.key === "c") onCopy();
      else if (event.key === "o") onEditor();
      else if (event.key === "Enter" && inList(event)) focusPreview();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function inList(event: KeyboardEvent): boolean {
  const target = event.target;
  return (
    target instanceof HTMLElement && (target === document.body || !!target.closest(".hit-list"))
  );
}

function inCode(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLElement && !!event.target.closest(".preview");
}

function focusPreview(): void {
  document.querySelector<HTMLElement>(".preview .cm-content")?.focus({ preventScroll: true });
}

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(length - 1, index));
}

/** The same question, however many of its hits are asked for. */
function sameRequest(one: SearchRequest, other: SearchRequest): boolean {
  return JSON.stringify({ ...one, limit: 0 }) === JSON.stringify({ ...other, limit: 0 });
}

function keyOf(hit: Hit): string {
  return hit.evidence_id || reference(hit);
}

export function reference(hit: { path: string; start_line: number }): string {
  return `${hit.path}:${hit.start_line}`;
}

function asRequest(repo: string, text: string, limit: number): SearchRequest {
  const parsed = parseQuery(text);
  return {
    repo,
    query: parsed.text,
    limit,
    filters: parsed.filters,
    as_of: null,
    weights: null,
    distinct_files: true,
  };
}
