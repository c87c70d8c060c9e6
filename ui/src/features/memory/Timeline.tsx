// Both times at once: commits from left to right, a bar for each version; below, when something was
// recorded. A commit sets "as of", a moment sets "as known at". Only rows in sight are drawn.

import { memo, useEffect, useMemo, useRef, useState } from "react";
import { plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import type { MemoMoment, MemoTimeline, TimelineBar } from "../../ipc";
import { barsOf, nearestCommit, nearestRecorded } from "./lanes";
import type { Rows } from "./MemoList";
import { shortSha, titleOf, whenOf } from "./words";

const LANE = 16;
const LABEL = 168;
const OVERSCAN = 6;

export function Timeline(props: {
  timeline: MemoTimeline | undefined;
  rows: Rows;
  chosen: string | undefined;
  moment: MemoMoment;
  onChoose: (memo: string) => void;
  onMoment: (moment: Partial<MemoMoment>) => void;
  onSeen: (from: number, to: number) => void;
}) {
  const { timeline } = props;
  const [isOpen, setOpen] = useState(
    () => localStorage.getItem("whyrank.memory.timeline") !== "closed",
  );
  const toggle = () => {
    localStorage.setItem("whyrank.memory.timeline", isOpen ? "closed" : "open");
    setOpen(!isOpen);
  };
  if (!timeline || (timeline.commits.length === 0 && timeline.recorded.length === 0)) return null;
  return (
    <section className="timeline" aria-label="Timeline" data-testid="memory-timeline">
      <button type="button" className="timeline-toggle" aria-expanded={isOpen} onClick={toggle}>
        <Icon name="chevron" />
        <span>Timeline</span>
        <span className="small muted">
          {plural(timeline.commits.length, "commit")}, {plural(props.rows.n, "memo")}
        </span>
      </button>
      {isOpen && <Axes {...props} timeline={timeline} />}
    </section>
  );
}

function Axes(props: {
  timeline: MemoTimeline;
  rows: Rows;
  chosen: string | undefined;
  moment: MemoMoment;
  onChoose: (memo: string) => void;
  onMoment: (moment: Partial<MemoMoment>) => void;
  onSeen: (from: number, to: number) => void;
}) {
  const { timeline, rows, onSeen } = props;
  const [top, setTop] = useState(0);
  const [hover, setHover] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const bars = useMemo(() => barsOf(timeline), [timeline]);
  const n = Math.max(timeline.commits.length, 1);
  const first = Math.max(0, Math.floor(top / LANE) - OVERSCAN);
  const height = box.current?.clientHeight ?? 120;
  const last = Math.min(rows.n, first + Math.ceil(height / LANE) + 2 * OVERSCAN) - 1;
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
  const asOf = timeline.commits.findIndex((commit) => commit.sha === props.moment.as_of);
  const at = hover ?? (asOf >= 0 ? asOf : n - 1);
  const commit = timeline.commits[at];
  const share = (event: React.PointerEvent | React.MouseEvent) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    return (event.clientX - bounds.left) / bounds.width;
  };
  const choose = (index: number) => {
    const chosen = timeline.commits[index];
    if (!chosen) return;
    props.onMoment({ as_of: index === n - 1 && props.moment.as_of === null ? null : chosen.sha });
  };
  return (
    <>
      <div
        ref={box}
        className="timeline-lanes"
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <div style={{ height: rows.n * LANE, position: "relative" }}>
          {seen.map((row) => {
            const one = rows.at(row);
            return one ? (
              <LaneRow
                key={one.id}
                memo={one.id}
                title={titleOf(one)}
                bars={bars.get(one.id) ?? NO_BARS}
                n={n}
                top={row * LANE}
                isChosen={one.id === props.chosen}
                onChoose={props.onChoose}
              />
            ) : null;
          })}
        </div>
      </div>
      {timeline.commits.length > 0 && (
        <div className="timeline-axis" style={{ gridTemplateColumns: `${LABEL}px 1fr` }}>
          <span className="small muted">Valid: commits</span>
          <div
            className="timeline-ruler"
            role="slider"
            tabIndex={0}
            aria-label="As of commit"
            aria-valuemin={0}
            aria-valuemax={n - 1}
            aria-valuenow={asOf >= 0 ? asOf : n - 1}
            aria-valuetext={commit ? `${shortSha(commit.sha)} ${commit.summary}` : ""}
            data-testid="memory-commits"
            onPointerMove={(event) => setHover(nearestCommit(share(event), n))}
            onPointerLeave={() => setHover(null)}
            onClick={(event) => choose(nearestCommit(share(event), n))}
            onKeyDown={(event) => {
              const now = asOf >= 0 ? asOf : n - 1;
              if (event.key === "ArrowLeft") choose(Math.max(0, now - 1));
              else if (event.key === "ArrowRight") choose(Math.min(n - 1, now + 1));
              else return;
              event.preventDefault();
            }}
          >
            {timeline.commits.map((one, index) => (
              <i
                key={one.sha}
                style={{ left: `${((index + 0.5) / n) * 100}%` }}
                data-at={index === at || undefined}
              />
            ))}
          </div>
          <span className="small muted">Recorded: time</span>
          <RecordedRuler
            recorded={timeline.recorded}
            moment={props.moment}
            onMoment={props.onMoment}
          />
        </div>
      )}
      <p className="timeline-says small muted ellipsis">
        {commit
          ? `${shortSha(commit.sha)} ${whenOf(commit.at)} ${commit.summary}`
          : "Outside git, time alone decides."}
      </p>
    </>
  );
}

const NO_BARS: TimelineBar[] = [];

const LaneRow = memo(function LaneRow(props: {
  memo: string;
  title: string;
  bars: TimelineBar[];
  n: number;
  top: number;
  isChosen: boolean;
  onChoose: (memo: string) => void;
}) {
  const { n } = props;
  return (
    <button
      type="button"
      className="timeline-lane"
      data-testid="memory-lane"
      data-chosen={props.isChosen || undefined}
      style={{ top: props.top, gridTemplateColumns: `${LABEL}px 1fr` }}
      tabIndex={-1}
      onClick={() => props.onChoose(props.memo)}
    >
      <span className="small ellipsis">{props.title}</span>
      <span className="timeline-track">
        {props.bars.map((bar) => (
          <i
            key={`${bar.version}${bar.from}`}
            title={bar.title}
            data-orphaned={bar.orphaned || undefined}
            data-open={bar.until === null || undefined}
            style={{
              left: `${(bar.from / n) * 100}%`,
              width: `${(((bar.until ?? n) - bar.from) / n) * 100}%`,
            }}
          />
        ))}
      </span>
    </button>
  );
});

/** When something was recorded, evenly spread: a busy hour would hide the rest. */
function RecordedRuler(props: {
  recorded: number[];
  moment: MemoMoment;
  onMoment: (moment: Partial<MemoMoment>) => void;
}) {
  const { recorded } = props;
  const n = Math.max(recorded.length, 1);
  const known = props.moment.known_at ? Number(props.moment.known_at) : null;
  const at = known === null ? n - 1 : nearestRecorded(recorded, known);
  const choose = (index: number) => {
    const moment = recorded[Math.min(Math.max(index, 0), n - 1)];
    if (moment !== undefined) props.onMoment({ known_at: index >= n - 1 ? null : String(moment) });
  };
  const every = Math.ceil(n / 400);
  return (
    <div
      className="timeline-ruler"
      role="slider"
      tabIndex={0}
      aria-label="As known at"
      aria-valuemin={0}
      aria-valuemax={n - 1}
      aria-valuenow={at}
      aria-valuetext={recorded[at] === undefined ? "" : whenOf(recorded[at])}
      data-testid="memory-recorded"
      onClick={(event) => {
        const bounds = event.currentTarget.getBoundingClientRect();
        choose(nearestCommit((event.clientX - bounds.left) / bounds.width, n));
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") choose(at - 1);
        else if (event.key === "ArrowRight") choose(at + 1);
        else return;
        event.preventDefault();
      }}
    >
      {recorded.map((moment, index) =>
        index % every === 0 || index === at ? (
          <i
            key={moment}
            title={whenOf(moment)}
            style={{ left: `${((index + 0.5) / n) * 100}%` }}
            data-at={index === at || undefined}
          />
        ) : null,
      )}
    </div>
  );
}
