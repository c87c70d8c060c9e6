// Exact and regular-expression search: every line that matches, under its file, and the file beside.

import "./match.css";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { pressLens } from "../../app/dock-state";
import { leaveOpened } from "../../app/opened";
import { showInGraph } from "../../app/route";
import { beginMemo, type LinesPlace, partOf, useScope } from "../../app/scope";
import type { Selection } from "../../app/selection";
import { Behind } from "../../components/Behind";
import { copyAndSay } from "../../components/copy";
import { count, ms, plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { useEditor } from "../../components/OpenInEditor";
import { type GrepResponse, type ScopeChoice, useGrep } from "../../ipc";
import { FacetColumn } from "./FacetColumn";
import { MatchList } from "./MatchList";
import { codeFirst, type Match, matchesOf, placeOf, spansOf, wordsOf } from "./matches";
import { Panes } from "./Panes";
import { PatternProblem } from "./PatternProblem";
import { PreviewPane } from "./PreviewPane";
import { toggleFilter } from "./query";
import { Results } from "./Results";
import { rememberQuery } from "./recent";
import { asGrepRequest, reference } from "./request";
import { useOpenedPreview } from "./useOpenedPreview";
import { useSearchKeys } from "./useSearchKeys";
import type { AskedQuery } from "./useSearchQuery";

export function MatchSearch(props: {
  repo: string;
  asked: AskedQuery;
  boxRef: RefObject<HTMLInputElement | null>;
  listRef: RefObject<HTMLDivElement | null>;
  facetsOpen: boolean;
  /** Rows are there. */
  onShown: () => void;
}) {
  const { asked, listRef } = props;
  const { scope } = useScope();
  const repo = scope?.id ?? props.repo;
  const { query, settled, change } = asked;
  const [chosen, setChosen] = useState(0);
  const choose = (next: number | ((old: number) => number)) => {
    leaveOpened();
    setChosen(next);
  };
  const request = useMemo(() => asGrepRequest(repo, settled), [repo, settled]);
  const answer = useGrep(request, asked.isTyping);
  const isBehind = answer.isPlaceholderData || settled.text !== query.text;
  const isAsked = settled.text.trim() !== "";
  const problem = !isBehind && isAsked ? answer.data?.problem : null;
  const data = useLastWhole(answer.data);
  const stale = isBehind || !!problem;
  const files = useMemo(() => codeFirst(data?.files ?? []), [data]);
  const matches = useMemo(() => matchesOf(files), [files]);
  const match = matches[Math.min(chosen, matches.length - 1)];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question starts at its first line
  useEffect(() => setChosen(0), [request]);
  const acts = useMatchActs(match, { repo, scope }, () => rememberQuery(query));
  const selection = useMemo(
    () => match && selectionOf(match, { repo: props.repo, scope, asOf: request.as_of }),
    [match, props.repo, scope, request.as_of],
  );
  useSearchKeys({
    ...acts,
    box: props.boxRef,
    list: listRef,
    onMove: (by) => choose((old) => Math.max(0, Math.min(matches.length - 1, old + by))),
    onExplain: () => undefined,
  });
  const hasFacets = props.facetsOpen && matches.length > 0 && isAsked;
  return (
    <>
      <Behind asOf={request.as_of} />
      {problem && <PatternProblem pattern={request.pattern} problem={problem} />}
      <div className="search-body" data-facets={hasFacets || undefined}>
        {data && hasFacets && (
          <FacetColumn
            facets={data.facets}
            filters={request.filters}
            onToggle={(name, value) =>
              change({ text: toggleFilter(query.text, name, value, query.mode) })
            }
          />
        )}
        <Results
          answer={answer}
          repo={props.repo}
          query={settled}
          nothing={matches.length === 0 && (problem ? "problem" : "nothing")}
          onQuery={change}
          onShown={props.onShown}
        >
          <Panes
            selection={selection}
            list={
              <MatchList
                listRef={listRef}
                files={files}
                stale={stale}
                chosen={match ? matches.indexOf(match) : -1}
                onChoose={choose}
              />
            }
            code={<MatchPreview repo={repo} asOf={request.as_of} match={match} acts={acts} />}
          />
        </Results>
      </div>
      {data && isAsked && !problem && <Foot answer={data} stale={stale} />}
    </>
  );
}

/** The last answer without a problem: half a pattern clears nothing away. */
function useLastWhole(answer: GrepResponse | undefined): GrepResponse | undefined {
  const last = useRef(answer);
  if (answer && !answer.problem) last.current = answer;
  return last.current?.problem ? undefined : last.current;
}

function useMatchActs(
  match: Match | undefined,
  { repo, scope }: { repo: string; scope: ScopeChoice | undefined },
  onLeave: () => void,
) {
  const editor = useEditor(repo);
  const place = match && placeOf(match);
  const leave = (act: () => void) => {
    if (!match) return;
    onLeave();
    act();
  };
  return {
    onGraph: () =>
      leave(() => {
        const { file, line } = match as Match;
        const { inside } = line;
        const at = inside?.start_line ?? line.text.line;
        showInGraph({ symbol: inside?.name ?? null, path: file.path, start_line: at });
      }),
    onLens: (lens: string) => {
      if (match) onLeave();
      pressLens(lens);
    },
    onMemo: () =>
      leave(() => {
        if (place)
          beginMemo({ path: place.path, from: place.start_line, to: place.end_line }, scope);
      }),
    onPinLines: (place: LinesPlace) => leave(() => beginMemo(place, scope)),
    onCopy: () => place && copyAndSay(reference(place)),
    onEditor: () => place && editor.open(place.path, place.start_line),
  };
}

/** A line and the definition around it, as the lenses know it. */
function selectionOf(
  { file, line }: Match,
  asked: { repo: string; scope: ScopeChoice | undefined; asOf: string | null },
): Selection {
  const part = asked.scope && partOf(asked.scope, file.path);
  const at = line.text.line;
  return {
    ...{ repo: part?.repo ?? asked.repo, path: part?.path ?? file.path },
    ...{ line: at, endLine: at, symbol: line.inside?.name ?? null },
    ...{ asOf: asked.asOf, hit: null, queryId: null },
  };
}

function MatchPreview(props: {
  repo: string;
  asOf: string | null;
  match: Match | undefined;
  acts: ReturnType<typeof useMatchActs>;
}) {
  const { match } = props;
  const place = useMemo(() => match && placeOf(match), [match]);
  const spans = useMemo(() => (match ? spansOf(match) : []), [match]);
  const words = useCallback(() => (match ? wordsOf(match) : []), [match]);
  const opened = useOpenedPreview();
  return (
    <PreviewPane
      repo={props.repo}
      asOf={props.asOf}
      place={place}
      spans={spans}
      wordsIn={words}
      onGraph={props.acts.onGraph}
      onPin={props.acts.onMemo}
      onPinLines={props.acts.onPinLines}
      {...opened}
    />
  );
}

function Foot({ answer, stale }: { answer: GrepResponse; stale: boolean }) {
  return (
    <div className="search-foot small" role="status">
      <span data-testid="search-count">
        {plural(answer.n_lines, "line")} in {plural(answer.n_files, "file")}
      </span>
      <span>{stale ? "searching" : ms(answer.elapsed_ms)}</span>
      <span>{count(answer.n_searched)} files searched</span>
      <span>{answer.case_counts ? "case-sensitive" : "case-insensitive"}</span>
      {answer.stopped && (
        <span className="note" data-testid="search-stopped">
          <Icon name="info" />
          {answer.stopped}
        </span>
      )}
    </div>
  );
}
