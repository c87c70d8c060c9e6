// The list by risk and the chosen row beside it, with their keys.

import { useMemo, useRef, useState } from "react";
import { openCode } from "../../app/opened";
import { useEditor } from "../../components/OpenInEditor";
import { Split } from "../../components/Splitter";
import { useKeys } from "../../components/useKeys";
import type { RepoSummary, ReviewResponse } from "../../ipc";
import { Pane, type Part } from "./Pane";
import { RowList } from "./RowList";
import { type ChangeRow, placeOf, rowsOf } from "./rows";

export interface ReviewProps {
  repo: RepoSummary;
  reference: string;
  /** Id of the row that the address names. */
  row: string | undefined;
  onReference: (reference: string) => void;
  onRow: (row: string) => void;
}

/** The list and the chosen row, with their keys. */
export function Reviewed(props: ReviewProps & { review: ReviewResponse; isStale: boolean }) {
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
