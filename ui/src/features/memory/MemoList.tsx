// The memos, one row each. Only rows in sight are drawn, and only pages in sight are asked for.

import {
  createContext,
  type KeyboardEvent,
  memo,
  type RefObject,
  useContext,
  useEffect,
  useState,
} from "react";
import { activeRow } from "../../components/active-row";
import { Icon } from "../../components/Icon";
import { useRowInSight } from "../../components/useKeptInSight";
import type { Memo } from "../../ipc";
import { authorOf, sinceOf, titleOf } from "./words";

const ROW = 66;
const OVERSCAN = 8;
/** Rows are drawn in groups: most steps of a scroll change nothing. */
const GROUP = 4;

/** The rows of a list that is here in part. */
export interface Rows {
  n: number;
  at: (row: number) => Memo | undefined;
  rowOf: (memo: string | undefined) => number;
}

export function MemoList(props: {
  listRef: RefObject<HTMLDivElement | null>;
  rows: Rows;
  chosen: string | undefined;
  stale: boolean;
  onChoose: (memo: string) => void;
  onMove: (by: number) => void;
  onSeen: (from: number, to: number) => void;
  /** Goes on into the chosen memo. */
  onOpen: () => void;
}) {
  const { rows, onSeen } = props;
  const [group, setGroup] = useState(0);
  const height = props.listRef.current?.clientHeight || 600;
  const first = Math.min(Math.max(0, group * GROUP - OVERSCAN), rows.n);
  const n = Math.ceil(height / ROW) + GROUP + 2 * OVERSCAN;
  const last = Math.min(rows.n, first + n) - 1;
  const seen = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const at = rows.rowOf(props.chosen);
  useEffect(() => onSeen(first, last), [onSeen, first, last]);
  useRowInSight(props.listRef, at, ROW);
  const drawn = seen.filter((row) => rows.at(row));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") props.onOpen();
    else if (event.key === "ArrowDown") props.onMove(1);
    else if (event.key === "ArrowUp") props.onMove(-1);
    else if (event.key === "PageDown") props.onMove(Math.floor(height / ROW));
    else if (event.key === "PageUp") props.onMove(-Math.floor(height / ROW));
    else if (event.key === "Home") props.onMove(-rows.n);
    else if (event.key === "End") props.onMove(rows.n);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={props.listRef}
      className="memory-list"
      role="listbox"
      aria-label="Memos"
      aria-activedescendant={activeRow(at, drawn, `memo-${props.chosen}`)}
      data-testid="memory-list"
      data-stale={props.stale || undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={(event) => setGroup(Math.floor(event.currentTarget.scrollTop / ROW / GROUP))}
    >
      <div className="memory-rows" style={{ height: rows.n * ROW, paddingTop: first * ROW }}>
        {seen.map((row) => {
          const one = rows.at(row);
          return one ? (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys
            // biome-ignore lint/a11y/useFocusableInteractive: the list keeps the focus
            <div
              key={`${one.repo?.id ?? ""} ${one.id}`}
              id={`memo-${one.id}`}
              role="option"
              aria-selected={one.id === props.chosen}
              className="memory-row"
              data-testid="memory-row"
              aria-posinset={row + 1}
              aria-setsize={rows.n}
              onClick={() => props.onChoose(one.id)}
            >
              <Row memo={one} />
            </div>
          ) : (
            <div key={row} className="memory-row memory-row-coming" aria-hidden>
              <span />
              <span />
            </div>
          );
        })}
      </div>
    </div>
  );
}

// Scrolling draws rows that come into sight, not those that are there.
const Row = memo(function Row({ memo }: { memo: Memo }) {
  return (
    <>
      <span className="memory-title ellipsis">
        {memo.pinned && (
          <span className="memory-pin" title="Pinned">
            <Icon name="pin" />
          </span>
        )}
        {titleOf(memo)}
      </span>
      <span className="memory-facts small muted">
        {memo.repo && (
          <span className="memory-repo" data-testid="memory-repo">
            {memo.repo.name}
          </span>
        )}
        <span className="memory-kind">{memo.kind}</span>
        <Marks memo={memo} />
        <span className="ellipsis">
          {sinceOf(memo)} · {authorOf(memo.author)}
        </span>
      </span>
    </>
  );
});

/** Ids of memos that others contradict. */
export const InConflict = createContext<ReadonlySet<string>>(new Set());

/** What a reader should know, in a word each. */
export function Marks({ memo }: { memo: Memo }) {
  const inConflict = useContext(InConflict).has(memo.id);
  const has = (word: string) => memo.notes.some((note) => note.startsWith(word));
  return (
    <>
      {memo.state !== "valid" && <span className="pill">{memo.state}</span>}
      {memo.tier !== "normal" && (
        <span className="pill" data-tone={memo.tier === "core" ? "accent" : undefined}>
          {memo.tier}
        </span>
      )}
      {memo.drifted && (
        <span className="pill" data-tone="amber">
          drifted
        </span>
      )}
      {has("its code moved") && !memo.drifted && <span className="pill">moved</span>}
      {memo.contested.length > 0 && (
        <span className="pill" data-tone="red">
          contested
        </span>
      )}
      {inConflict && memo.contested.length === 0 && (
        <span className="pill" data-tone="red">
          conflict
        </span>
      )}
      {has("orphaned") && (
        <span className="pill" data-tone="amber">
          orphaned
        </span>
      )}
      {has("its commit was reverted") && (
        <span className="pill" data-tone="amber">
          reverted
        </span>
      )}
    </>
  );
}
