// The hits, virtualised. The list has the focus; the chosen hit is its active descendant.

import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { preferences } from "../../app/preferences";
import { activeRow } from "../../components/active-row";
import { CHANNELS, channelCode, channelLabel } from "../../components/channels";
import { intoSight, useKeptInSight } from "../../components/useKeptInSight";
import type { Channel, Hit, HitVerdict } from "../../ipc";
import { HitActions } from "./HitActions";
import { HitRow } from "./HitRow";
import { moreFrom } from "./same-files";

const ROW_PX = { comfortable: 56, compact: 48 };
/** So near the end the next hits are asked for. */
const NEAR_END = 8;
const DIVIDER_PX = 28;

export function HitList(props: {
  listRef: RefObject<HTMLDivElement | null>;
  hits: Hit[];
  /** A name for each that it keeps in the next answer. */
  keys: string[];
  /** Ranks before the reranker, where its order is shown. */
  before: number[] | undefined;
  stale: boolean;
  /** What the person said of a hit. */
  verdictOf?: (hit: Hit) => HitVerdict | null;
  /** Asks for further hits; none where there are no more. */
  onMore: (() => void) | undefined;
  chosen: number;
  onChoose: (index: number) => void;
  onExplain: (hit: Hit) => void;
  onGraph: (hit: Hit) => void;
  onMemo: (hit: Hit) => void;
}) {
  const { hits, keys, chosen } = props;
  // A row is drawn again when it changes, not with each letter that is typed.
  const told = useRef(props);
  told.current = props;
  const choose = useCallback((index: number) => told.current.onChoose(index), []);
  const explain = useCallback((hit: Hit) => told.current.onExplain(hit), []);
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed density or divider is measured again
  useEffect(() => rows.measure(), [rowPx, divider]);
  useEffect(() => {
    if (chosen >= 0) rows.scrollToIndex(chosen, { align: "auto" });
  }, [chosen, rows]);
  const topOf = (index: number) =>
    index * rowPx + (divider > 0 && index >= divider ? DIVIDER_PX : 0);
  const reach = { top: topOf(chosen), bottom: topOf(chosen) + rowPx };
  useKeptInSight(
    scroller,
    () => (chosen < 0 ? null : reach),
    () => intoSight(scroller.current, reach),
  );
  const reordered = useReordered(props.before);
  const best = Math.max(...hits.map((hit) => hit.score), 1e-12);
  const columns = useMemo(() => columnsOf(hits), [hits]);
  const drawn = rows.getVirtualItems();
  const lastSeen = drawn.at(-1)?.index ?? 0;
  const { onMore, stale } = props;
  useEffect(() => {
    if (!stale && lastSeen >= hits.length - NEAR_END) onMore?.();
  }, [lastSeen, hits.length, stale, onMore]);

  return (
    <div className="hits">
      <ChannelHeads columns={columns} />
      <div
        ref={scroller}
        className="hit-list"
        data-stale={props.stale || undefined}
        data-reordered={reordered || undefined}
        style={{ "--n-columns": columns.length } as CSSProperties}
      >
        <div
          ref={props.listRef}
          className="hit-rows"
          role="listbox"
          aria-label="Results"
          aria-activedescendant={activeRow(
            chosen,
            drawn.map(({ index }) => index),
            `hit-${chosen}`,
          )}
          aria-busy={props.stale}
          data-begin
          tabIndex={0}
          style={{ height: rows.getTotalSize() }}
        >
          {drawn.map((item) => {
            const hit = hits[item.index];
            if (!hit) return null;
            return (
              <HitRow
                key={keys[item.index]}
                hit={hit}
                index={item.index}
                top={topOf(item.index)}
                columns={columns}
                height={rowPx}
                share={hit.score / best}
                before={props.before?.[item.index]}
                chosen={item.index === chosen}
                verdict={props.verdictOf?.(hit) ?? null}
                onChoose={choose}
                onExplain={explain}
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
          <HitActions
            hit={main}
            top={topOf(chosen) + rowPx}
            onExplain={props.onExplain}
            onGraph={props.onGraph}
            onMemo={props.onMemo}
          />
        )}
      </div>
    </div>
  );
}

function columnsOf(hits: Hit[]): Channel[] {
  return CHANNELS.filter((channel) => hits.some((hit) => hit.channels.includes(channel)));
}

/** Codes of the channels over their columns. */
function ChannelHeads({ columns }: { columns: readonly Channel[] }) {
  return (
    <div className="hit-heads small muted" aria-hidden="true">
      <span className="hit-channels">
        {columns.map((channel) => (
          <span key={channel} title={channelLabel(channel)}>
            {channelCode(channel)}
          </span>
        ))}
      </span>
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
