// The changes by risk, one row each. Only rows in sight are drawn.

import { type KeyboardEvent, type RefObject, useId, useState } from "react";
import { activeRow } from "../../components/active-row";
import { plural } from "../../components/format";
import { useRowInSight } from "../../components/useKeptInSight";
import { Row } from "./Row";
import type { ChangeRow } from "./rows";

const ROW = 44;
const OVERSCAN = 8;

export function RowList(props: {
  listRef: RefObject<HTMLDivElement | null>;
  rows: readonly ChangeRow[];
  /** The chosen row. */
  at: number;
  nLeftOut: number;
  isStale: boolean;
  onChoose: (row: ChangeRow) => void;
  onMove: (by: number) => void;
  /** Goes on into the chosen row. */
  onOpen: () => void;
}) {
  const { rows, at, listRef } = props;
  const [top, setTop] = useState(0);
  const id = useId();
  const height = listRef.current?.clientHeight || 600;
  const first = Math.min(Math.max(0, top - OVERSCAN), rows.length);
  const shown = rows.slice(first, first + Math.ceil(height / ROW) + 2 * OVERSCAN);
  const drawn = shown.map((_, index) => first + index);
  useRowInSight(listRef, at, ROW);
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height / ROW) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
    if (event.key === "Enter") props.onOpen();
    else if (event.key === "Home") props.onMove(-rows.length);
    else if (event.key === "End") props.onMove(rows.length);
    else if (by) props.onMove(by);
    else return;
    event.preventDefault();
  };
  return (
    <div className="changes-side">
      <div
        ref={listRef}
        className="changes-list"
        role="listbox"
        aria-label="Changes by risk"
        aria-activedescendant={activeRow(at, drawn, `${id}-${at}`)}
        data-testid="changes-list"
        data-stale={props.isStale || undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={(event) => setTop(Math.floor(event.currentTarget.scrollTop / ROW))}
      >
        <div role="presentation" style={{ height: rows.length * ROW, paddingTop: first * ROW }}>
          {shown.map((row, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys
            // biome-ignore lint/a11y/useFocusableInteractive: the list keeps the focus
            <div
              key={row.id}
              id={`${id}-${first + index}`}
              role="option"
              className="changes-row"
              data-testid="changes-row"
              data-kind={row.kind}
              data-plain={(row.kind === "file" && row.risk === null) || undefined}
              aria-selected={first + index === at}
              aria-posinset={first + index + 1}
              aria-setsize={rows.length}
              onClick={() => props.onChoose(row)}
            >
              <Row row={row} />
            </div>
          ))}
        </div>
      </div>
      {props.nLeftOut > 0 && (
        <p className="changes-cut small muted" role="status" data-testid="changes-cut">
          {plural(props.nLeftOut, "more changed file")}, the least risky, not listed.
        </p>
      )}
    </div>
  );
}
