// The axes below the lanes: commits, with what is folded between them, and moments at which something was recorded.

import { useState } from "react";
import { plural } from "../../components/format";
import type { MemoMoment } from "../../ipc";
import { axisDates } from "./axis-dates";
import { LABEL, nearestRecorded } from "./lanes";
import type { Rows } from "./MemoList";
import { Lanes } from "./TimelineLanes";
import { Ruler } from "./TimelineRuler";
import { shortSha, whenOf } from "./words";
import { commitFrom, type FoldStep, type Step, type Zoomed } from "./zoomed";

export function Axes(props: {
  timeline: Zoomed;
  rows: Rows;
  chosen: string | undefined;
  moment: MemoMoment;
  onChoose: (memo: string) => void;
  onMoment: (moment: Partial<MemoMoment>) => void;
  onSeen: (from: number, to: number) => void;
  /** A piece of commits without memos is to open. */
  onOpen: (fold: FoldStep) => void;
}) {
  const { timeline, moment, onMoment } = props;
  const { steps } = timeline;
  const [hover, setHover] = useState<number | null>(null);
  const n = Math.max(steps.length, 1);
  const asOf = steps.findIndex(
    (step) => step.kind === "commit" && step.commit.sha === moment.as_of,
  );
  const now = asOf >= 0 ? asOf : n - 1;
  const step = steps[hover ?? now];
  const choose = (index: number, towards: 1 | -1 = 1) => {
    const bounded = Math.min(Math.max(index, 0), n - 1);
    const at = commitFrom(steps, bounded, towards) ?? commitFrom(steps, bounded, 1);
    const chosen = steps[at ?? -1];
    if (chosen?.kind !== "commit") return;
    onMoment({ as_of: at === n - 1 && moment.as_of === null ? null : chosen.commit.sha });
  };
  return (
    <>
      <Lanes {...props} n={n} />
      {steps.length > 0 && (
        <div className="timeline-axis" style={{ gridTemplateColumns: `${LABEL}px 1fr` }}>
          <span className="small muted timeline-label">Valid at commit</span>
          <div className="timeline-commits">
            <Ruler
              label="As of commit"
              testid="memory-commits"
              n={n}
              at={hover ?? now}
              now={now}
              says={step ? wordsOf(step) : ""}
              onHover={setHover}
              onChoose={choose}
            />
            {steps.map(
              (one, at) =>
                one.kind === "fold" && (
                  <Fold key={one.after} fold={one} at={at} n={n} onOpen={() => props.onOpen(one)} />
                ),
            )}
            <Dates moments={steps.map(momentOf)} />
          </div>
          <span className="small muted timeline-label">Recorded at</span>
          <div className="timeline-commits">
            <RecordedRuler recorded={timeline.recorded} moment={moment} onMoment={onMoment} />
            <Dates moments={timeline.recorded} />
          </div>
        </div>
      )}
      <p className="timeline-says small muted ellipsis">
        {step ? longWordsOf(step) : "Not a git repository: sorted by time only."}
      </p>
    </>
  );
}

const momentOf = (step: Step) => (step.kind === "commit" ? step.commit.at : null);

/** More dates would stand in each other in a narrow window. */
const MOST_DATES = 5;

/** The dates below an axis; its steps say theirs by themselves. */
function Dates({ moments }: { moments: (number | null)[] }) {
  const n = Math.max(1, moments.length);
  return (
    <div className="timeline-dates small muted num" aria-hidden="true" data-testid="memory-dates">
      {axisDates(moments, MOST_DATES).map(({ at, text }) => (
        <span key={at} style={{ left: `${((at + 0.5) / n) * 100}%` }} data-side={sideOf(at / n)}>
          {text}
        </span>
      ))}
    </div>
  );
}

/** What stands near an end of the axis is written inwards. */
const sideOf = (share: number) => (share < 0.1 ? "right" : share > 0.85 ? "left" : undefined);

const foldWords = ({ n }: FoldStep) => `${plural(n, "commit")} without changes of memos`;

function wordsOf(step: Step): string {
  return step.kind === "fold"
    ? foldWords(step)
    : `${shortSha(step.commit.sha)} ${step.commit.summary}`;
}

function longWordsOf(step: Step): string {
  if (step.kind === "fold") return foldWords(step);
  const { sha, at, summary } = step.commit;
  return `${shortSha(sha)} ${whenOf(at)} ${summary}`;
}

/** Commits without memos as one piece of the axis. */
function Fold(props: { fold: FoldStep; at: number; n: number; onOpen: () => void }) {
  const { fold, at, n } = props;
  return (
    <button
      type="button"
      className="timeline-fold"
      data-testid="memory-fold"
      aria-label={`Show ${foldWords(fold)}`}
      title={`Show ${foldWords(fold)}`}
      style={{ left: `${(at / n) * 100}%`, width: `${100 / n}%` }}
      onClick={props.onOpen}
    >
      {plural(fold.n, "commit")}
    </button>
  );
}

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
