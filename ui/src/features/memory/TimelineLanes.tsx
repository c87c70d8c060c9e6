// The lanes of the timeline: the versions of each memo as bars. Only rows in sight are drawn.

import { memo, useEffect, useMemo, useRef, useState } from "react";
import type { TimelineBar } from "../../ipc";
import { barsOf, LABEL, trackOf } from "./lanes";
import type { Rows } from "./MemoList";
import { titleOf } from "./words";
import type { Zoomed } from "./zoomed";

const LANE = 16;
const OVERSCAN = 8;
/** Lanes are drawn in groups: most steps of a scroll change nothing. */
const GROUP = 8;

/** A lane for each memo. It alone is redrawn while it scrolls. */
export const Lanes = memo(function Lanes(props: {
  timeline: Zoomed;
  rows: Rows;
  chosen: string | undefined;
  n: number;
  onChoose: (memo: string) => void;
  onSeen: (from: number, to: number) => void;
}) {
  const { timeline, rows, onSeen } = props;
  const [group, setGroup] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const bars = useMemo(() => barsOf(timeline), [timeline]);
  const first = Math.min(Math.max(0, group * GROUP - OVERSCAN), rows.n);
  const height = box.current?.clientHeight ?? 120;
  const last = Math.min(rows.n, first + Math.ceil(height / LANE) + GROUP + 2 * OVERSCAN) - 1;
  const seen = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  useEffect(() => onSeen(first, last), [onSeen, first, last]);
  // The chosen lane is kept in sight.
  const chosenRow = rows.rowOf(props.chosen);
  useEffect(() => {
    const lanes = box.current;
    if (!lanes || chosenRow < 0) return;
    if (chosenRow * LANE < lanes.scrollTop) lanes.scrollTop = chosenRow * LANE;
    const below = (chosenRow + 1) * LANE - lanes.clientHeight;
    if (below > lanes.scrollTop) lanes.scrollTop = below;
  }, [chosenRow]);
  return (
    <div
      ref={box}
      className="timeline-lanes"
      onScroll={(event) => setGroup(Math.floor(event.currentTarget.scrollTop / LANE / GROUP))}
    >
      <div className="memory-rows" style={{ height: rows.n * LANE, paddingTop: first * LANE }}>
        {seen.map((row) => {
          const one = rows.at(row);
          return one ? (
            <LaneRow
              key={one.id}
              memo={one.id}
              title={titleOf(one)}
              bars={bars.get(one.id) ?? NO_BARS}
              n={props.n}
              isChosen={one.id === props.chosen}
              onChoose={props.onChoose}
            />
          ) : (
            <div key={row} className="timeline-lane" aria-hidden />
          );
        })}
      </div>
    </div>
  );
});

const NO_BARS: TimelineBar[] = [];

const LaneRow = memo(function LaneRow(props: {
  memo: string;
  title: string;
  bars: TimelineBar[];
  n: number;
  isChosen: boolean;
  onChoose: (memo: string) => void;
}) {
  return (
    <button
      type="button"
      className="timeline-lane"
      data-testid="memory-lane"
      data-chosen={props.isChosen || undefined}
      style={{ gridTemplateColumns: `${LABEL}px 1fr` }}
      title={props.title}
      tabIndex={-1}
      onClick={() => props.onChoose(props.memo)}
    >
      <span className="small ellipsis">{props.title}</span>
      <span className="timeline-track" style={trackOf(props.bars, props.n)} />
    </button>
  );
});
