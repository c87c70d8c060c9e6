// An axis of the timeline: steps that are chosen by mouse and arrow keys.

import { memo } from "react";
import { nearestCommit } from "./lanes";

/** An axis whose steps are chosen with the mouse and the arrow keys. */
export function Ruler(props: {
  label: string;
  testid: string;
  n: number;
  /** The step that is marked, and the one that is chosen. */
  at: number;
  now: number;
  says: string;
  onHover: (index: number | null) => void;
  /** `towards`: the way that a key goes; none of a click. */
  onChoose: (index: number, towards?: 1 | -1) => void;
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
        onChoose(to, event.key === "ArrowLeft" || event.key === "End" ? -1 : 1);
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
