// Matching lines under their files, virtualised. The list has the focus; the chosen line is its active
// descendant.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useMemo, useRef } from "react";
import { preferences } from "../../app/preferences";
import { activeRow } from "../../components/active-row";
import { plural } from "../../components/format";
import { PathText } from "../../components/PathText";
import { intoSight, useKeptInSight } from "../../components/useKeptInSight";
import type { MatchFile } from "../../ipc";
import { Marked } from "./Marked";
import { type MatchRow, rowsOf, shownFrom } from "./matches";

const HEAD_PX = 32;
const LINE_PX = { comfortable: 26, compact: 22 };
/** What stands beside the text of a line, and the width of a character. */
const BESIDE_PX = 76;
const CHAR_PX = 7.3;

export function MatchList(props: {
  listRef: RefObject<HTMLDivElement | null>;
  files: MatchFile[];
  stale: boolean;
  chosen: number;
  onChoose: (index: number) => void;
}) {
  const { files, chosen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useMemo(() => rowsOf(files), [files]);
  const linePx = LINE_PX[preferences.use().density];
  const rows = useVirtualizer({
    count: list.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (list[at]?.kind === "file" ? HEAD_PX : linePx),
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list or density is measured again
  useEffect(() => rows.measure(), [linePx, list]);
  const at = list.findIndex((row) => row.kind === "line" && row.index === chosen);
  useEffect(() => {
    // The first line of a file is seen with its file.
    if (at >= 0) rows.scrollToIndex(list[at - 1]?.kind === "file" ? at - 1 : at, { align: "auto" });
    if (at >= 0) rows.scrollToIndex(at, { align: "auto" });
  }, [at, list, rows]);

  const reachOf = () => {
    const row = rows.measurementsCache[at];
    return row ? { top: row.start, bottom: row.end } : null;
  };
  useKeptInSight(scroller, reachOf, () => {
    const reach = reachOf();
    if (reach) intoSight(scroller.current, reach);
  });
  const drawn = rows.getVirtualItems();
  const width = rows.scrollRect?.width ?? 0;
  const nChars = width > 0 ? Math.floor((width - BESIDE_PX) / CHAR_PX) : Number.POSITIVE_INFINITY;

  return (
    <div className="hits">
      <div ref={scroller} className="hit-list" data-stale={props.stale || undefined}>
        <div
          ref={props.listRef}
          className="hit-rows"
          role="listbox"
          aria-label="Results"
          aria-activedescendant={activeRow(
            at,
            drawn.map(({ index }) => index),
            `match-${chosen}`,
          )}
          aria-busy={props.stale}
          data-begin
          tabIndex={0}
          style={{ height: rows.getTotalSize() }}
        >
          {drawn.map((item) => {
            const row = list[item.index];
            if (!row) return null;
            const place = { transform: `translateY(${item.start}px)`, height: item.size };
            return row.kind === "file" ? (
              <FileRow key={item.key} row={row} style={place} />
            ) : (
              <LineRow
                key={item.key}
                row={row}
                style={place}
                isChosen={row.index === chosen}
                nChars={nChars}
                onChoose={props.onChoose}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface RowProps<Kind> {
  row: Extract<MatchRow, { kind: Kind }>;
  style: React.CSSProperties;
}

function FileRow({ row, style }: RowProps<"file">) {
  const { path, badges, n_lines } = row.file;
  return (
    <div className="match-file" role="presentation" style={style}>
      <PathText className="code" path={path} />
      {badges.map((badge) => (
        <span key={badge} className="badge">
          {badge}
        </span>
      ))}
      <span className="small muted num match-count" title={plural(n_lines, "line")}>
        {n_lines}
      </span>
    </div>
  );
}

function LineRow(
  props: RowProps<"line"> & {
    isChosen: boolean;
    nChars: number;
    onChoose: (index: number) => void;
  },
) {
  const { row, style, isChosen, onChoose } = props;
  const { text, cut, inside, verdict } = row.line;
  const from = shownFrom(row.line, props.nChars);
  const isCut = cut > 0 || text.text.slice(0, from).trim() !== "";
  const ranges = text.matches.map(([start, end]): [number, number] => [
    Math.max(0, start - from),
    end - from,
  ]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles keys
    <div
      id={`match-${row.index}`}
      className="match-line"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      data-testid="search-match"
      data-path={row.file.path}
      data-line={text.line}
      style={style}
      onClick={() => onChoose(row.index)}
    >
      <span className="match-number num muted">{text.line}</span>
      <span className="code ellipsis match-text">
        {isCut && <span className="muted">…</span>}
        <Marked text={text.text.slice(from)} ranges={ranges} painted />
      </span>
      {inside && <span className="code muted ellipsis match-inside">{inside.name}</span>}
      {verdict && (
        <span className="badge" title={verdict.why}>
          {verdict.word}
        </span>
      )}
    </div>
  );
}
