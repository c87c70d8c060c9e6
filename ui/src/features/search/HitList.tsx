// The hits, virtualised. The list has the focus; the chosen hit is its active descendant.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef, useState } from "react";
import { preferences } from "../../app/preferences";
import { ChannelDot } from "../../components/channels";
import { sig3 } from "../../components/format";
import { Icon } from "../../components/Icon";
import type { Hit, SnippetLine } from "../../ipc";
import { Marked } from "./Marked";
import { moreFrom } from "./same-files";

const ROW_PX = { comfortable: 92, compact: 80 };
const DIVIDER_PX = 28;

export function HitList(props: {
  listRef: RefObject<HTMLDivElement | null>;
  hits: Hit[];
  /** Ranks before the reranker, where its order is shown. */
  before: number[] | undefined;
  stale: boolean;
  chosen: number;
  onChoose: (index: number) => void;
  onExplain: (hit: Hit) => void;
  onGraph: (hit: Hit) => void;
  onMemo: (hit: Hit) => void;
}) {
  const { hits, chosen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const main = hits[chosen];
  const rowPx = ROW_PX[preferences.use().density];
  const divider = props.before ? -1 : moreFrom(hits);
  const rows = useVirtualizer({
    count: hits.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowPx + (index === divider ? DIVIDER_PX : 0),
    overscan: 6,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed density or divider is measured anew
  useEffect(() => rows.measure(), [rowPx, divider]);
  useEffect(() => {
    if (chosen >= 0) rows.scrollToIndex(chosen, { align: "auto" });
  }, [chosen, rows]);
  const reordered = useReordered(props.before);
  const best = Math.max(...hits.map((hit) => hit.score), 1e-12);

  return (
    <div
      ref={scroller}
      className="hit-list"
      data-stale={props.stale || undefined}
      data-reordered={reordered || undefined}
    >
      <div
        ref={props.listRef}
        className="hit-rows"
        role="listbox"
        aria-label="Results"
        aria-activedescendant={chosen >= 0 ? `hit-${chosen}` : undefined}
        aria-busy={props.stale}
        data-begin
        tabIndex={0}
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map((item) => {
          const hit = hits[item.index];
          if (!hit) return null;
          return (
            <HitRow
              key={hit.evidence_id || `${hit.path}:${hit.start_line}`}
              hit={hit}
              index={item.index}
              top={item.start + (item.index === divider ? DIVIDER_PX : 0)}
              height={rowPx}
              share={hit.score / best}
              before={props.before?.[item.index]}
              chosen={item.index === chosen}
              onChoose={() => props.onChoose(item.index)}
              onExplain={() => props.onExplain(hit)}
            />
          );
        })}
        {divider > 0 && (
          <div
            className="hit-divider small muted"
            role="presentation"
            data-testid="hit-divider"
            style={{ top: divider * rowPx, height: DIVIDER_PX }}
          >
            More from the same files
          </div>
        )}
      </div>
      {main && (
        <div
          className="hit-actions"
          style={{
            top: (chosen + 1) * rowPx + (divider > 0 && chosen >= divider ? DIVIDER_PX : 0),
          }}
        >
          <button
            type="button"
            data-testid="hit-graph"
            aria-label="Graph"
            title="Who uses it and what it uses (g)"
            onClick={() => props.onGraph(main)}
          >
            <Icon name="graph" />
          </button>
          <button
            type="button"
            data-testid="hit-memo"
            aria-label="Memo"
            title="Remember something of it (m)"
            onClick={() => props.onMemo(main)}
          >
            <Icon name="memory" />
          </button>
          <button
            type="button"
            data-testid="hit-explain"
            aria-label="Explain"
            title="Why it ranks here (e)"
            onClick={() => props.onExplain(main)}
          >
            <Icon name="explain" />
          </button>
        </div>
      )}
    </div>
  );
}

/** For as long as rows take to their new places; scrolling never drags behind. */
function useReordered(before: number[] | undefined): boolean {
  const [moving, setMoving] = useState(false);
  const last = useRef(before);
  useEffect(() => {
    if (last.current === before) return;
    last.current = before;
    setMoving(true);
    const timer = setTimeout(() => setMoving(false), 400);
    return () => clearTimeout(timer);
  }, [before]);
  return moving || last.current !== before;
}

function HitRow(props: {
  hit: Hit;
  index: number;
  top: number;
  height: number;
  share: number;
  before: number | undefined;
  chosen: boolean;
  onChoose: () => void;
  onExplain: () => void;
}) {
  const { hit } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles keys
    <div
      id={`hit-${props.index}`}
      className="hit"
      role="option"
      tabIndex={-1}
      aria-selected={props.chosen}
      data-testid="search-hit"
      data-path={hit.path}
      data-line={hit.start_line}
      style={{ transform: `translateY(${props.top}px)`, height: props.height }}
      onClick={props.onChoose}
      onDoubleClick={props.onExplain}
    >
      <span className="hit-rank num">
        {hit.rank}
        <Moved before={props.before} now={hit.rank} />
      </span>
      <div className="hit-main">
        <div className="hit-title">
          <span className="code ellipsis hit-name">{hit.symbol ?? hit.path.split("/").pop()}</span>
          <span className="small muted">{hit.kind}</span>
          {hit.badges.map((badge) => (
            <span key={badge} className="badge">
              {badge}
            </span>
          ))}
          <span className="spacer" />
          <span className="hit-channels">
            {hit.channels.map((channel) => (
              <ChannelDot key={channel} channel={channel} />
            ))}
          </span>
        </div>
        <div className="hit-path small muted">
          <span className="code path-start ellipsis" title={hit.path}>
            <bdi>{hit.path}</bdi>
          </span>
          <span className="code">
            :{hit.start_line}–{hit.end_line}
          </span>
          {hit.more_in_file > 0 && <span>+{hit.more_in_file} in file</span>}
          <span className="spacer" />
          <span
            className="score"
            title={`Score ${sig3(hit.score)}; the bar is its share of the best`}
          >
            <i style={{ width: `${Math.max(0, props.share) * 100}%` }} />
          </span>
          <span className="num score-figure">{sig3(hit.score)}</span>
        </div>
        <div className="hit-snippet code">
          {twoLines(hit.snippet).map((line) => (
            <div key={line.line} className="ellipsis">
              <Marked text={line.text} ranges={line.matches} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** Where the reranker took it from. */
function Moved({ before, now }: { before: number | undefined; now: number }) {
  if (before === undefined || before === now) return null;
  const up = before > now;
  return (
    <span className="hit-moved" data-up={up || undefined} title={`${before} before reranking`}>
      <Icon name={up ? "up" : "down"} />
      <span className="visually-hidden">{up ? "up" : "down"} by </span>
      {Math.abs(before - now)}
    </span>
  );
}

/** Two lines: the first that matches and the one after it, without their common indent. */
function twoLines(snippet: SnippetLine[]): SnippetLine[] {
  const first = Math.max(
    0,
    snippet.findIndex((line) => line.matches.length > 0),
  );
  const start = Math.max(0, Math.min(first, snippet.length - 2));
  const lines = snippet.slice(start, start + 2);
  const indents = lines.filter((line) => line.text.trim()).map((line) => line.text.search(/\S/));
  const indent = Math.max(0, Math.min(...indents, 200));
  return lines.map((line) => ({
    ...line,
    text: line.text.slice(indent),
    matches: line.matches.map(([start, end]) => [start - indent, end - indent] as [number, number]),
  }));
}
