// The memos, one row each; only rows in sight are drawn.

import { type KeyboardEvent, type RefObject, useEffect, useState } from "react";
import { Icon } from "../../components/Icon";
import type { Memo } from "../../ipc";
import { authorOf, sinceOf, titleOf } from "./words";

const ROW = 66;
const OVERSCAN = 8;

export function MemoList(props: {
  listRef: RefObject<HTMLDivElement | null>;
  memos: Memo[];
  chosen: string | undefined;
  stale: boolean;
  onChoose: (memo: string) => void;
  onMove: (by: number) => void;
}) {
  const [top, setTop] = useState(0);
  const height = props.listRef.current?.clientHeight || 600;
  const first = Math.max(0, Math.floor(top / ROW) - OVERSCAN);
  const seen = props.memos.slice(first, first + Math.ceil(height / ROW) + 2 * OVERSCAN);
  const at = props.memos.findIndex((memo) => memo.id === props.chosen);
  // The chosen row is kept in sight.
  useEffect(() => {
    const box = props.listRef.current;
    if (!box || at < 0) return;
    if (at * ROW < box.scrollTop) box.scrollTop = at * ROW;
    const below = (at + 1) * ROW - box.clientHeight;
    if (below > box.scrollTop) box.scrollTop = below;
  }, [at, props.listRef]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") props.onMove(1);
    else if (event.key === "ArrowUp") props.onMove(-1);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={props.listRef}
      className="memory-list"
      role="listbox"
      aria-label="Memos"
      aria-activedescendant={props.chosen ? `memo-${props.chosen}` : undefined}
      data-testid="memory-list"
      data-stale={props.stale || undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div style={{ height: props.memos.length * ROW, position: "relative" }}>
        {seen.map((memo, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys
          // biome-ignore lint/a11y/useFocusableInteractive: the list keeps the focus
          <div
            key={memo.id}
            id={`memo-${memo.id}`}
            role="option"
            aria-selected={memo.id === props.chosen}
            className="memory-row"
            data-testid="memory-row"
            style={{ height: ROW, transform: `translateY(${(first + index) * ROW}px)` }}
            onClick={() => props.onChoose(memo.id)}
          >
            <Row memo={memo} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Row({ memo }: { memo: Memo }) {
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
        <span className="memory-kind">{memo.kind}</span>
        <Marks memo={memo} />
        <span className="ellipsis">
          {sinceOf(memo)} · {authorOf(memo.author)}
        </span>
      </span>
    </>
  );
}

/** What a reader should know, in a word each. */
export function Marks({ memo }: { memo: Memo }) {
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
