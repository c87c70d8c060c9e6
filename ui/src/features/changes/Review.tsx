// One review: what is compared, the list by risk, and the chosen row beside it.

import { useMemo, useRef, useState } from "react";
import { openCode } from "../../app/opened";
import { Behind } from "../../components/Behind";
import { copyAndSay } from "../../components/copy";
import { plural } from "../../components/format";
import { IndexFailure } from "../../components/IndexFailure";
import { useEditor } from "../../components/OpenInEditor";
import { Split } from "../../components/Splitter";
import { Loading } from "../../components/states";
import { useKeys } from "../../components/useKeys";
import {
  type RepoSummary,
  type ReviewResponse,
  useChangeState,
  useReview,
  useTestsOfChange,
} from "../../ipc";
import { Compare } from "./Compare";
import { reviewMarkdown } from "./markdown";
import { NoGit, NothingChanged } from "./Nothing";
import { Pane, type Part } from "./Pane";
import { RowList } from "./RowList";
import { type ChangeRow, placeOf, rowsOf } from "./rows";
import { testsOf } from "./run-tests";
import { Summary } from "./Summary";
import { TreeState } from "./TreeState";
import { isNothing } from "./words";

interface Props {
  repo: RepoSummary;
  reference: string;
  /** Id of the row that the address names. */
  row: string | undefined;
  onReference: (reference: string) => void;
  onRow: (row: string) => void;
}

export function Review(props: Props) {
  const { repo, reference, onReference } = props;
  const [isChoosing, setChoosing] = useState(false);
  const state = useChangeState(repo.id);
  const review = useReview(repo.id, reference);
  useKeys({ b: () => setChoosing(true) });
  const compare = (
    <Compare
      repo={repo.id}
      reference={reference}
      main={state.data?.main ?? null}
      isOpen={isChoosing}
      onOpen={setChoosing}
      onChange={onReference}
    />
  );
  if (review.isError && review.error.code === "not-a-repository")
    return <NoGit error={review.error} />;
  return (
    <>
      <header className="view-head changes-head">
        {compare}
        {review.data && <CopyReview repo={repo.id} reference={reference} review={review.data} />}
      </header>
      <Behind />
      <TreeState state={state.data} reference={reference} />
      <div className="view-body">
        {review.isPending ? (
          <Loading label="Reviewing what changed" isLate />
        ) : review.isError ? (
          <IndexFailure repo={repo.id} error={review.error} onRetry={() => review.refetch()} />
        ) : isNothing(review.data) ? (
          <NothingChanged
            review={review.data}
            reference={reference}
            state={state.data}
            onReference={onReference}
          />
        ) : (
          <Reviewed {...props} review={review.data} isStale={review.isPlaceholderData} />
        )}
      </div>
    </>
  );
}

function CopyReview(props: { repo: string; reference: string; review: ReviewResponse }) {
  const { repo, reference, review } = props;
  const tests = useTestsOfChange(repo, reference, !isNothing(review));
  const copy = () => {
    const text = reviewMarkdown(review, tests.data ? testsOf(tests.data) : []);
    void copyAndSay(text, `the review of ${plural(review.symbols.length, "definition")}`);
  };
  const isNone = isNothing(review);
  useKeys({ c: copy }, !isNone);
  if (isNone) return null;
  return <Summary review={review} onCopy={copy} />;
}

/** The list and the chosen row, with their keys. */
function Reviewed(props: Props & { review: ReviewResponse; isStale: boolean }) {
  const { repo, reference, review, onRow } = props;
  const list = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const [part, setPart] = useState<Part>("diff");
  const editor = useEditor(repo.id);
  const rows = useMemo(() => rowsOf(review), [review]);
  const found = rows.findIndex((row) => row.id === props.row);
  const at = found >= 0 ? found : firstOf(rows);
  const chosen = rows[at];
  const move = (by: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (next) onRow(next.id);
  };
  const place = chosen && placeOf(chosen);
  const open = () => place && openCode({ repo: repo.id, ...place });
  const edit = () => place && editor.open(place.path, place.line);
  const turn = (to: Part) => setPart((old) => (old === to ? "diff" : to));
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    o: edit,
    e: open,
    t: () => turn("tests"),
    m: () => turn("memos"),
  });
  return (
    <Split
      id="changes"
      share={0.42}
      label="Width of the list"
      first={
        <RowList
          listRef={list}
          rows={rows}
          at={at}
          nLeftOut={review.n_left_out}
          isStale={props.isStale}
          onChoose={(row) => onRow(row.id)}
          onMove={move}
          onOpen={() => pane.current?.focus()}
        />
      }
      second={
        chosen && (
          <Pane
            paneRef={pane}
            repo={repo.id}
            reference={reference}
            review={review}
            row={chosen}
            part={part}
            onPart={setPart}
            onLeave={() => list.current?.focus()}
          />
        )
      }
    />
  );
}

/** The riskiest definition, not the file around it. */
function firstOf(rows: readonly ChangeRow[]): number {
  return Math.max(
    0,
    rows.findIndex((row) => row.kind !== "file"),
  );
}
