// Alignments: which words of the hit answer which words of the query, beside the code.

import { useEffect, useMemo, useState } from "react";
import { Choice } from "../../components/Choice";
import type { WordMark } from "../../components/CodeView";
import { Button, IconButton, Segmented, Switch } from "../../components/controls";
import { sig3 } from "../../components/format";
import { PathText } from "../../components/PathText";
import { PinnableCode } from "../../components/PinnableCode";
import { pathOf, repositoryOf } from "../../components/repository-of";
import { ShareMenu } from "../../components/share/ShareMenu";
import { Empty, Failure, Loading } from "../../components/states";
import { type Alignment, type Trace, type TraceRow, usePreview, useRepos } from "../../ipc";
import { alignmentCard } from "./alignment-card";
import { optionOf, partOf, rowKey } from "./arithmetic";
import { heatOf } from "./heat";
import { heatCard } from "./heat-card";
import { TokenHeat } from "./TokenHeat";
import { Legend, WordMatrix } from "./WordMatrix";
import { answeredBy, bestColumn, matrixOf, runningSums } from "./words";

type Aligned = TraceRow & { alignment: Alignment };

export function WordsPanel(props: {
  trace: Trace;
  chosen: string | undefined;
  onChoose: (key: string) => void;
}) {
  const { trace } = props;
  const rows = trace.rows.filter((row): row is Aligned => row.alignment !== null);
  const first = rows[0];
  if (!trace.refine || !first) {
    const why = trace.gate?.verdict.sentence ?? "the trace was recorded without it";
    return <Empty>No tokens were compared for this answer: {withoutSkipped(why)}.</Empty>;
  }
  const asked = trace.rows.find((one) => rowKey(one) === props.chosen);
  const row = rows.find((one) => one === asked) ?? first;
  return (
    <HitWords
      key={rowKey(row)}
      trace={trace}
      tokens={trace.refine.query_tokens}
      rows={rows}
      row={row}
      instead={asked === row ? undefined : asked}
      onChoose={props.onChoose}
    />
  );
}

/** `skipped, the first stage is sure` as the reason alone. */
export const withoutSkipped = (why: string) =>
  why.replace(/^skipped[\s,:;]*/, "").replace(/\.$/, "");

function HitWords(props: {
  trace: Trace;
  tokens: NonNullable<Trace["refine"]>["query_tokens"];
  rows: Aligned[];
  row: Aligned;
  /** The chosen result, where none of its tokens were compared. */
  instead: TraceRow | undefined;
  onChoose: (key: string) => void;
}) {
  const { row, rows, tokens } = props;
  const matrix = useMemo(() => matrixOf(row.alignment, tokens), [row, tokens]);
  const [hovered, setHovered] = useState<number>();
  const [pinned, setPinned] = useState<number>();
  const [asList, setAsList] = useState(false);
  const [of, setOf] = useState<"words" | "tokens">("words");
  const { cells } = row.alignment;
  const heat = useMemo(() => (cells ? heatOf(cells, tokens) : undefined), [cells, tokens]);
  const ofTokens = of === "tokens" ? heat : undefined;
  const pointed = hovered ?? pinned;
  const at = rows.indexOf(row);
  const to = (index: number) => {
    const next = rows[index];
    if (next) props.onChoose(rowKey(next));
  };
  const sums = runningSums(matrix.rows);
  const step = (by: number) => {
    const next = pinned === undefined ? (by > 0 ? 0 : matrix.rows.length - 1) : pinned + by;
    setPinned(Math.min(matrix.rows.length - 1, Math.max(0, next)));
  };
  const reached = pinned === undefined ? undefined : sums[pinned];
  return (
    <div className="words">
      <section className="words-matrix" aria-label="Words">
        <header className="words-head">
          <IconButton
            icon="left"
            label="Previous result"
            isDisabled={at === 0}
            onPress={() => to(at - 1)}
          />
          <Choice
            label="Result"
            data-testid="words-result"
            value={rowKey(row)}
            options={rows.map(optionOf)}
            onChange={props.onChoose}
          />
          <IconButton
            icon="right"
            label="Next result"
            isDisabled={at === rows.length - 1}
            onPress={() => to(at + 1)}
          />
          <span className="spacer" />
          <ShareMenu
            label="Share alignments"
            name={`whyrank-alignments-${props.trace.query_id}`}
            draw={() =>
              ofTokens
                ? heatCard(props.trace, row, ofTokens)
                : alignmentCard(props.trace, row, matrix)
            }
            data-testid="words-share"
          />
        </header>
        {props.instead && <NotCompared row={props.instead} />}
        {ofTokens ? (
          <TokenHeat heat={ofTokens} asList={asList} />
        ) : (
          <WordMatrix
            matrix={matrix}
            pointed={pointed}
            pinned={pinned}
            asList={asList}
            onPoint={setHovered}
            onPin={(index) => setPinned(index === pinned ? undefined : index)}
          />
        )}
        {!asList && <Legend ofAll={ofTokens !== undefined} />}
        <footer className="words-foot">
          <Segmented
            label="Compared"
            value={ofTokens ? "tokens" : "words"}
            options={COMPARED}
            isDisabled={!heat}
            onChange={setOf}
          />
          {!ofTokens && (
            <Steps
              pinned={pinned}
              n={matrix.rows.length}
              onStep={step}
              sum={
                reached === undefined
                  ? `MaxSim ${sig3(matrix.score)}`
                  : `${sig3(reached)} of ${sig3(matrix.score)}`
              }
            />
          )}
          <Switch isSelected={asList} onChange={setAsList}>
            List
          </Switch>
        </footer>
      </section>
      <Code
        trace={props.trace}
        row={row}
        words={marksOf(matrix, pointed)}
        onPoint={(column) =>
          setHovered(column === undefined ? undefined : answeredBy(matrix, column))
        }
      />
    </div>
  );
}

/** Walks the sum, a word of the query at a time. */
function Steps(props: {
  pinned: number | undefined;
  n: number;
  sum: string;
  onStep: (by: number) => void;
}) {
  return (
    <>
      <Button icon="left" isDisabled={props.pinned === 0} onPress={() => props.onStep(-1)}>
        Back
      </Button>
      <Button
        icon="right"
        data-testid="words-step"
        isDisabled={props.pinned === props.n - 1}
        onPress={() => props.onStep(1)}
      >
        Step
      </Button>
      <span className="num" aria-live="polite" data-testid="words-sum">
        {props.sum}
      </span>
    </>
  );
}

const COMPARED = [
  { value: "words", label: "Best words" },
  { value: "tokens", label: "All tokens" },
] as const;

/** What is shown belongs to another result than the sentence above speaks of. */
function NotCompared({ row }: { row: TraceRow }) {
  return (
    <p className="words-note small muted" data-testid="words-instead">
      No tokens of <b className="code">{row.symbol ?? row.path.split("/").pop()}</b> were compared;
      the next result that has them stands here.
    </p>
  );
}

/** All winners, or those of the row that is pointed at. */
function marksOf(matrix: ReturnType<typeof matrixOf>, pointed: number | undefined): WordMark[] {
  const row = pointed === undefined ? undefined : matrix.rows[pointed];
  const best = row && bestColumn(row);
  return matrix.columns.map((column, index) => ({
    line: column.line,
    column: column.column,
    length: column.length,
    main: index === best,
  }));
}

function Code(props: {
  trace: Trace;
  row: TraceRow;
  words: WordMark[];
  /** Told of the marked word under the pointer. */
  onPoint: (column: number | undefined) => void;
}) {
  const { trace, row, words } = props;
  const { data: repos = [] } = useRepos();
  const preview = usePreview(repositoryOf(row, trace.repo, repos), row.path);
  const { from, to } = partOf(row);
  const spans = useMemo(() => [{ from, to, main: true }], [from, to]);
  const key = JSON.stringify(words);
  const [marks, setMarks] = useState(words);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the words
  useEffect(() => setMarks(words), [key]);
  const file = preview.data?.path === row.path ? preview.data : undefined;
  return (
    <section
      className="words-code"
      aria-label="Code"
      onPointerOver={(event) => props.onPoint(wordUnder(event.target))}
      onPointerLeave={() => props.onPoint(undefined)}
    >
      <PathText className="small muted" path={`${pathOf(row)}:${row.start_line}–${row.end_line}`} />
      {preview.isError && <Failure error={preview.error} onRetry={() => preview.refetch()} />}
      {!file && !preview.isError && <Loading label="Reading the file" />}
      {file && !preview.isError && <PinnableCode file={file} spans={spans} words={marks} />}
    </section>
  );
}

/** The marked word that an element shows, by its index. */
function wordUnder(target: EventTarget): number | undefined {
  const mark = target instanceof Element ? target.closest<HTMLElement>("[data-word]") : null;
  return mark?.dataset.word === undefined ? undefined : Number(mark.dataset.word);
}
