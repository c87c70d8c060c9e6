// Both times at once: commits from left to right, a bar for each version; below, when something was
// recorded. A commit sets "as of", a moment sets "as known at".

import "./timeline.css";
import { useMemo, useState } from "react";
import { Button } from "../../components/controls";
import { count, plural } from "../../components/format";
import { Icon } from "../../components/Icon";
import { type MemoMoment, type MemoTimeline, PAGE } from "../../ipc";
import type { Rows } from "./MemoList";
import { Axes } from "./TimelineAxes";
import { whole, type Zoomed, zoomed } from "./zoomed";

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
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  // Of more memos than one page only some bars are known: what they do not show may not fold.
  const mayZoom = props.rows.n <= PAGE;
  const timeline = useMemo(
    () => all && (mayZoom && !isWhole ? zoomed(all, props.moment.as_of, opened) : whole(all)),
    [all, mayZoom, isWhole, props.moment.as_of, opened],
  );
  const [isOpen, setOpen] = useState(
    () => localStorage.getItem("whyrank.memory.timeline") !== "closed",
  );
  const toggle = () => {
    localStorage.setItem("whyrank.memory.timeline", isOpen ? "closed" : "open");
    setOpen(!isOpen);
  };
  if (!all || !timeline || (timeline.steps.length === 0 && timeline.recorded.length === 0))
    return null;
  const nHidden = foldedIn(timeline);
  const isOpened = isWhole || opened.size > 0;
  const unfold = () => {
    setWhole(!isOpened);
    setOpened(new Set());
  };
  return (
    <section className="timeline" aria-label="Timeline" data-testid="memory-timeline">
      <div className="timeline-head">
        <button type="button" className="timeline-toggle" aria-expanded={isOpen} onClick={toggle}>
          <Icon name="chevron" />
          <span>Timeline</span>
          <span className="small muted">
            {plural(props.rows.n, "memo")} · {commitsOf(all, timeline)}
          </span>
        </button>
        {isOpen && (nHidden > 0 || isOpened) && (
          <Button kind="quiet" data-testid="memory-timeline-zoom" onPress={unfold}>
            {isOpened ? "Fold commits without memos" : "Unfold all"}
          </Button>
        )}
      </div>
      {isOpen && (
        <Axes
          {...props}
          timeline={timeline}
          onOpen={({ after }) => setOpened(new Set([...opened, after]))}
        />
      )}
    </section>
  );
}

const foldedIn = ({ steps }: Zoomed) =>
  steps.reduce((sum, one) => sum + (one.kind === "fold" ? one.n : 0), 0);

/** How many commits there are, and why not each of them is a step: what is folded, and what an axis leaves out. */
function commitsOf({ n_commits }: MemoTimeline, timeline: Zoomed): string {
  const nFolded = foldedIn(timeline);
  const nShown = timeline.steps.filter(({ kind }) => kind === "commit").length;
  const nBetween = n_commits - nShown - nFolded;
  const parts = [
    nFolded > 0 && `${count(nFolded)} that change no memo are folded`,
    nBetween > 0 && `${count(nBetween)} are left out for room`,
  ].filter(Boolean);
  return [plural(n_commits, "commit"), parts.join(", ")].filter(Boolean).join(": ");
}
