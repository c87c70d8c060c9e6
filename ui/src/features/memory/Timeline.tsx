// Both times at once: commits from left to right, a bar for each version; below, when something was
// recorded. A commit sets "as of", a moment sets "as known at". Only rows in sight are drawn.

import { memo, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../components/controls";
import { count, plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { type MemoMoment, type MemoTimeline, PAGE, type TimelineBar } from "../../ipc";
import { barsOf, nearestCommit, nearestRecorded, trackOf } from "./lanes";
import type { Rows } from "./MemoList";
import { shortSha, titleOf, whenOf } from "./words";
import { whole, type Zoomed, zoomed } from "./zoomed";

const LANE = 16;
const LABEL = 168;
const OVERSCAN = 8;
/** Lanes are drawn in groups: most steps of a scroll change nothing. */
const GROUP = 8;

export function Timeline(props: {
  timeline: MemoTimeline | undefined;
  rows: Rows;
  chosen: string | undefined;
  moment: MemoMoment;
  onChoose: (memo: string) => void;
  onMoment: (moment: Partial<MemoMoment>) => void;
  onSeen: (from: number, to: number) => void;
}) {
  const all = props.timeline;
  const [isWhole, setWhole] = useState(false);
  // Of more memos than one page only some bars are known: what they do not show may not fold.
  const mayZoom = props.rows.n <= PAGE;
  const timeline = useMemo(
    () => all && (mayZoom && !isWhole ? zoomed(all, props.moment.as_of) : whole(all)),
    [all, mayZoom, isWhole, props.moment.as_of],
  );
  const [isOpen, setOpen] = useState(
    () => localStorage.getItem("whyrank.memory.timeline") !== "closed",
  );
  const toggle = () => {
    localStorage.setItem("whyrank.memory.timeline", isOpen ? "closed" : "open");
    setOpen(!isOpen);
  };
  if (!timeline || (timeline.commits.length === 0 && timeline.recorded.length === 0)) return null;
  const nHidden = (all?.commits.length ?? 0) - timeline.commits.length;
  return (
    <section className="timeline" aria-label="Timeline" data-testid="memory-timeline">
      <div className="timeline-head">
        <button type="button" className="timeline-toggle" aria-expanded={isOpen} onClick={toggle}>
          <Icon name="chevron" />
          <span>Timeline</span>
          <span className="small muted">
            {commitsOf(timeline)}, {plural(props.rows.n, "memo")}
          </span>
        </button>
        {isOpen && (nHidden > 0 || isWhole) && (
          <Button
            kind="quiet"
            data-testid="memory-timeline-zoom"
            onPress={() => setWhole(!isWhole)}
          >
            {isWhole ? "Fold commits without memos" : `Show ${plural(nHidden, "more commit")}`}
          </Button>
        )}
      </div>
      {isOpen && <Axes {...props} timeline={timeline} />}
    </section>
  );
}

/** An axis takes so many; of a longer history it shows some. */
function commitsOf({ commits, n_commits }: MemoTimeline): string {
  const all = plural(n_commits, "commit");
  return commits.length < n_commits ? `${count(commits.length)} of ${all}` : all;
}

function Axes(props: {
  timeline: Zoomed;
  rows: Rows;
  chosen: string | undefined;
  moment: MemoMoment;
  onChoose: (memo: string) => void;
  onMoment: (moment: Partial<MemoMoment>) => void;
  onSeen: (from: number, to: number) => void;
}) {
  const { timeline, moment, onMoment } = props;
  const [hover, setHover] = useState<number | null>(null);
  const n = Math.max(timeline.commits.length, 1);
  const asOf = timeline.commits.findIndex((commit) => commit.sha === moment.as_of);
  const now = asOf >= 0 ? asOf : n - 1;
  const commit = timeline.commits[hover ?? now];
  const folded = timeline.folded[hover ?? now] ?? 0;
  const more = folded > 0 ? ` · then ${plural(folded, "commit")} without changes of memos` : "";
  const choose = (index: number) => {
    const chosen = timeline.commits[Math.min(Math.max(index, 0), n - 1)];
    if (!chosen) return;
    onMoment({ as_of: index >= n - 1 && moment.as_of === null ? null : chosen.sha });
  };
  return (
    <>
      <Lanes {...props} n={n} />
      {timeline.commits.length > 0 && (
        <div className="timeline-axis" style={{ gridTemplateColumns: `${LABEL}px 1fr` }}>
          <span className="small muted">Valid at commit</span>
          <Ruler
            label="As of commit"
            testid="memory-commits"
            n={n}
            at={hover ?? now}
            now={now}
            says={commit ? `${shortSha(commit.sha)} ${commit.summary}` : ""}
            onHover={setHover}
            onChoose={choose}
          />
          <span className="small muted">Recorded at</span>
          <RecordedRuler recorded={timeline.recorded} moment={moment} onMoment={onMoment} />
        </div>
      )}
      <p className="timeline-says small muted ellipsis">
        {commit
          ? `${shortSha(commit.sha)} ${whenOf(commit.at)} ${commit.summary}${more}`
          : "Not a git repository: sorted by time only."}
      </p>
    </>
  );
}

/** A lane for each memo. It alone is redrawn while it scrolls. */
const Lanes = memo(function Lanes(props: {
  timeline: MemoTimeline;
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

/** An axis whose steps are chosen with the mouse and the arrow keys. */
function Ruler(props: {
  label: string;
  testid: string;
  n: number;
  /** The step that is marked, and the one that is chosen. */
  at: number;
  now: number;
  says: string;
  onHover: (index: number | null) => void;
  onChoose: (index: number) => void;
}) {
  const { n, now, onHover, onChoose } = props;
  const stepAt = (event: React.PointerEvent | React.MouseEvent) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    return nearestCommit((event.clientX - bounds.left) / bounds.width, n);
  };
  return (
    <div
      className="timeline-ruler"
      role="slider"
      tabIndex={0}
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={n - 1}
      aria-valuenow={now}
      aria-valuetext={props.says}
      data-testid={props.testid}
      title={props.says}
      onPointerMove={(event) => onHover(stepAt(event))}
      onPointerLeave={() => onHover(null)}
      onClick={(event) => onChoose(stepAt(event))}
      onKeyDown={(event) => {
        const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: n - 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        onChoose(to);
      }}
    >
      <Ticks n={n} />
      <i data-at style={{ left: `${((props.at + 0.5) / n) * 100}%` }} />
    </div>
  );
}

/** The steps of an axis as one shape; where they lie closer than a pixel, fewer. */
const Ticks = memo(function Ticks({ n }: { n: number }) {
  const every = Math.ceil(n / 400);
  const ticks = Array.from({ length: Math.ceil(n / every) }, (_, at) => `M${at * every + 0.5} 0v6`);
  return (
    <svg className="timeline-ticks" viewBox={`0 0 ${n} 6`} preserveAspectRatio="none" aria-hidden>
      <path d={ticks.join("")} vectorEffect="non-scaling-stroke" />
    </svg>
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

/** When something was recorded, evenly spread: a busy hour would hide the rest. */
function RecordedRuler(props: {
  recorded: number[];
  moment: MemoMoment;
  onMoment: (moment: Partial<MemoMoment>) => void;
}) {
  const { recorded } = props;
  const [hover, setHover] = useState<number | null>(null);
  const n = Math.max(recorded.length, 1);
  const known = props.moment.known_at ? Number(props.moment.known_at) : null;
  const now = known === null ? n - 1 : nearestRecorded(recorded, known);
  const at = hover ?? now;
  const choose = (index: number) => {
    const moment = recorded[Math.min(Math.max(index, 0), n - 1)];
    if (moment !== undefined) props.onMoment({ known_at: index >= n - 1 ? null : String(moment) });
  };
  return (
    <Ruler
      label="As known at"
      testid="memory-recorded"
      n={n}
      at={at}
      now={now}
      says={recorded[at] === undefined ? "" : whenOf(recorded[at])}
      onHover={setHover}
      onChoose={choose}
    />
  );
}
