// Search by lines: those that match a text, code of a shape, what nothing needs; under their files, and the file beside.

import "./match.css";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { leaveOpened } from "../../app/opened";
import { partOf, useScope } from "../../app/scope";
import type { Selection } from "../../app/selection";
import { Behind } from "../../components/Behind";
import { type Matches, type MatchQuestion, type ScopeChoice, useMatches } from "../../ipc";
import { FacetColumn } from "./FacetColumn";
import { MatchFoot } from "./MatchFoot";
import { MatchList } from "./MatchList";
import { codeFirst, type Match, matchesOf, placeOf, spansOf, withWords, wordsOf } from "./matches";
import { isAsked as isAskedIn, MODE } from "./modes";
import { Panes } from "./Panes";
import { PatternProblem } from "./PatternProblem";
import { PreviewPane } from "./PreviewPane";
import { parseQuery, toggleFilter } from "./query";
import { Results } from "./Results";
import { rememberQuery } from "./recent";
import { asMatchQuestion } from "./request";
import { useMatchActs } from "./useMatchActs";
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
  const question = useMemo(() => asMatchQuestion(repo, settled), [repo, settled]);
  const { request } = question;
  const answer = useMatches(question, asked.isTyping);
  const isBehind = answer.isPlaceholderData || settled.text !== query.text;
  const isAsked = isAskedIn(settled.mode, settled.text);
  const problem = !isBehind && isAsked ? answer.data?.problem : null;
  const data = useLastWhole(answer.data);
  const stale = isBehind || !!problem;
  // A list of all that is unused is narrowed here; patterns are the engine's.
  const words = question.by === "unused" ? parseQuery(settled.text, settled.mode).text : "";
  const files = useMemo(() => withWords(codeFirst(data?.files ?? []), words), [data, words]);
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
  const hasFacets = props.facetsOpen && matches.length > 0 && isAsked && question.by === "text";
  return (
    <>
      <Behind asOf={request.as_of} />
      {problem && <PatternProblem pattern={patternOf(question)} problem={problem} />}
      <div className="search-body" data-facets={hasFacets || undefined}>
        {data && hasFacets && (
          <FacetColumn
            facets={data.facets}
            filters={question.request.filters}
            unit={MODE[settled.mode].unit}
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
          open={data?.stopped}
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
      {data && isAsked && !problem && (
        <MatchFoot answer={data} mode={settled.mode} files={files} stale={stale} />
      )}
    </>
  );
}

/** What a problem is about. */
function patternOf({ by, request }: MatchQuestion): string {
  return by === "unused" ? request.path : request.pattern;
}

/** The last answer without a problem: half a pattern clears nothing away. */
function useLastWhole(answer: Matches | undefined): Matches | undefined {
  const last = useRef(answer);
  if (answer && !answer.problem) last.current = answer;
  return last.current?.problem ? undefined : last.current;
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
