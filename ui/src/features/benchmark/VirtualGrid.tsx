// A long table, virtualised. The grid has the focus; the chosen row is its active descendant.

import "../../components/sort-head.css";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { preferences } from "../../app/preferences";
import { activeRow } from "../../components/active-row";
import { Icon } from "../../components/Icon";
import { useMoreToTheRight } from "./useMoreToTheRight";

export interface GridColumn<Row> {
  id: string;
  head: ReactNode;
  /** A track of a CSS grid. */
  width: string;
  numeric?: boolean;
  /** Absent where the column does not sort. */
  biggestFirst?: boolean;
  cell: (row: Row) => ReactNode;
}

export interface GridSort {
  by: string;
  descending: boolean;
}

interface Props<Row> {
  label: string;
  testid: string;
  columns: GridColumn<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  /** Least width before it scrolls sideways. */
  leastPx: number;
  chosen: string | undefined;
  onChoose: (key: string) => void;
  /** `other` when Shift is held: for rows that open in one of two ways. */
  onOpen: (row: Row, other: boolean) => void;
  sort?: GridSort;
  onSort?: (sort: GridSort) => void;
}

const ROW_PX = { comfortable: 36, compact: 28 };

export function VirtualGrid<Row>(props: Props<Row>) {
  const { rows, columns, keyOf } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const hasMore = useMoreToTheRight(scroller);
  const name = useId();
  const rowPx = ROW_PX[preferences.use().density];
  const found = rows.findIndex((row) => keyOf(row) === props.chosen);
  const at = found >= 0 ? found : rows.length > 0 ? 0 : -1;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    scrollPaddingStart: 30,
    overscan: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed density is measured again
  useEffect(() => virtual.measure(), [rowPx]);
  useEffect(() => {
    if (found >= 0) virtual.scrollToIndex(found, { align: "auto" });
  }, [found, virtual]);

  // Coming back to a row: the screen that had the focus is gone.
  const grid = useRef<HTMLDivElement>(null);
  const comesBack = useRef(found >= 0);
  useEffect(() => {
    if (comesBack.current && document.activeElement === document.body)
      grid.current?.focus({ preventScroll: true });
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || hasModifier(event)) return;
    const row = rows[at];
    const next = rows[target(event.key, at, rows.length)];
    if (event.key === "Enter" && row) props.onOpen(row, event.shiftKey);
    else if (next && target(event.key, at, rows.length) >= 0) props.onChoose(keyOf(next));
    else return;
    event.preventDefault();
  };
  const drawn = virtual.getVirtualItems();
  const template = columns.map((column) => column.width).join(" ");
  return (
    <div ref={scroller} className="bench-grid-scroll" data-more={hasMore || undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: rows are virtual, so a table cannot hold them */}
      <div
        ref={grid}
        className="bench-grid"
        role="grid"
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={activeRow(
          at,
          drawn.map(({ index }) => index),
          `${name}-${at}`,
        )}
        tabIndex={0}
        data-testid={props.testid}
        style={{ minWidth: props.leastPx }}
        onKeyDown={onKeyDown}
      >
        <Head {...props} template={template} />
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div role="rowgroup" className="bench-grid-body" style={{ height: virtual.getTotalSize() }}>
          {drawn.map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <GridRow
                key={keyOf(row)}
                id={`${name}-${item.index}`}
                row={row}
                index={item.index}
                columns={columns}
                isChosen={item.index === at}
                style={{
                  gridTemplateColumns: template,
                  height: rowPx,
                  transform: `translateY(${item.start}px)`,
                }}
                testid={`${props.testid}-row`}
                onOpen={() => {
                  props.onChoose(keyOf(row));
                  props.onOpen(row, false);
                }}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Head<Row>(props: Props<Row> & { template: string }) {
  const { sort, onSort } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are virtual, so a table cannot hold them
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons take the focus
    <div
      role="row"
      aria-rowindex={1}
      className="bench-grid-head"
      style={{ gridTemplateColumns: props.template }}
    >
      {props.columns.map((column) => {
        const isActive = sort?.by === column.id;
        const direction = sort?.descending ? "descending" : "ascending";
        const press = () =>
          onSort?.({
            by: column.id,
            descending: isActive ? !sort.descending : (column.biggestFirst ?? false),
          });
        return (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={column.id}
            role="columnheader"
            aria-sort={isActive ? direction : "none"}
            className={column.numeric ? "num" : undefined}
          >
            {column.biggestFirst === undefined ? (
              column.head
            ) : (
              <button type="button" className="sort-button" onClick={press}>
                {column.head}
                {isActive && <Icon name={sort.descending ? "down" : "up"} />}
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
}

function GridRow<Row>(props: {
  id: string;
  row: Row;
  index: number;
  columns: GridColumn<Row>[];
  isChosen: boolean;
  style: React.CSSProperties;
  testid: string;
  onOpen: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are virtual, so a table cannot hold them
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles keys
    <div
      id={props.id}
      role="row"
      tabIndex={-1}
      aria-rowindex={props.index + 2}
      aria-selected={props.isChosen}
      className="bench-grid-row"
      data-testid={props.testid}
      style={props.style}
      onClick={props.onOpen}
    >
      {props.columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        <div key={column.id} role="gridcell" className={column.numeric ? "num" : undefined}>
          {column.cell(props.row)}
        </div>
      ))}
    </div>
  );
}

const PAGE = 12;

function target(key: string, at: number, length: number): number {
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    PageDown: at + PAGE,
    PageUp: at - PAGE,
    Home: 0,
    End: length - 1,
  };
  const next = steps[key];
  return next === undefined ? -1 : Math.max(0, Math.min(length - 1, next));
}

function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}
