// The definitions of a file, beside its code: chosen by mouse or keys, the one that is read marked. Only rows in
// sight are drawn.

import "./outline.css";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { activeRow } from "../../components/active-row";
import { plural } from "../../components/format";
import { useRowInSight } from "../../components/useKeptInSight";
import type { SymbolLine } from "../../ipc";
import { around, nested } from "./nested";

const ROW = 24;
const OVERSCAN = 10;

export function Outline(props: {
  symbols: readonly SymbolLine[];
  /** The line that is read. */
  line: number;
  /** It lies over the code. */
  isOver: boolean;
  /** It was asked for by its key, and takes the focus. */
  takesFocus: boolean;
  onChoose: (symbol: SymbolLine) => void;
  /** Escape: back to the code. */
  onLeave: () => void;
}) {
  const rows = useMemo(() => nested(props.symbols), [props.symbols]);
  const read = around(rows, props.line);
  const [at, setAt] = useState(Math.max(0, read));
  useEffect(() => setAt(Math.max(0, read)), [read]);
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (props.takesFocus) box.current?.focus({ preventScroll: true });
  }, [props.takesFocus]);
  useRowInSight(box, at, ROW);
  const height = box.current?.clientHeight || 600;
  const first = Math.min(Math.max(0, top - OVERSCAN), rows.length);
  const shown = rows.slice(first, first + Math.ceil(height / ROW) + 2 * OVERSCAN);
  const chosen = rows[at];
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height / ROW) - 1);
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page }[event.key];
    if (hasModifier(event)) return;
    if (event.key === "Escape") props.onLeave();
    else if (event.key === "Enter" && chosen) props.onChoose(chosen.symbol);
    else if (event.key === "Home") setAt(0);
    else if (event.key === "End") setAt(Math.max(0, rows.length - 1));
    else if (by) setAt(Math.min(rows.length - 1, Math.max(0, at + by)));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <nav className="outline" data-over={props.isOver || undefined} aria-label="Outline">
      <p className="outline-head small muted">
        {rows.length > 0 ? plural(rows.length, "definition") : "No definitions in this file"}
      </p>
      <div
        ref={box}
        className="outline-list"
        role="listbox"
        aria-label="Definitions of this file"
        aria-activedescendant={activeRow(
          at,
          shown.map((_, index) => first + index),
          `${id}-${at}`,
        )}
        data-testid="outline"
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={(event) => setTop(Math.floor(event.currentTarget.scrollTop / ROW))}
      >
        <div role="presentation" style={{ height: rows.length * ROW, paddingTop: first * ROW }}>
          {shown.map(({ symbol, depth }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys
            // biome-ignore lint/a11y/useFocusableInteractive: the list keeps the focus
            <div
              key={`${symbol.qualified} ${symbol.name_line}`}
              id={`${id}-${first + index}`}
              role="option"
              className="outline-row code"
              data-testid="outline-row"
              aria-selected={first + index === at}
              aria-posinset={first + index + 1}
              aria-setsize={rows.length}
              data-read={first + index === read || undefined}
              title={`${symbol.kind}, line ${symbol.name_line}: ${symbol.signature}`}
              style={{ paddingInlineStart: `calc(var(--s3) + ${Math.min(depth, 6)} * 12px)` }}
              onClick={() => props.onChoose(symbol)}
            >
              <span className="ellipsis">{symbol.name}</span>
              <span className="visually-hidden">, {symbol.kind}</span>
            </div>
          ))}
        </div>
      </div>
    </nav>
  );
}

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => ctrlKey || metaKey || altKey;
