// Two panes with a divider that pointer and keyboard move.

import "./splitter.css";
import { type PointerEvent, type ReactNode, useRef, useState } from "react";

const MIN = 0.2;
const MAX = 0.8;

export function Split(props: {
  id: string;
  first: ReactNode;
  /** Without it the first has all the room, and stays as it is once there are two again. */
  second: ReactNode | undefined;
  share?: number;
  /** The divider, for who does not see it. */
  label?: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(() => stored(props.id) ?? props.share ?? 0.5);

  const move = (next: number) => {
    const clamped = Math.min(MAX, Math.max(MIN, next));
    setShare(clamped);
    localStorage.setItem(`whyrank.split.${props.id}`, String(clamped));
  };
  const drag = (event: PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect();
    if (!bounds || !(event.buttons & 1)) return;
    move((event.clientX - bounds.left) / bounds.width);
  };

  const isWhole = props.second === undefined;
  const gridTemplateColumns = isWhole ? "minmax(0, 1fr)" : columns(share);
  return (
    <div className="split" ref={box} style={{ gridTemplateColumns }}>
      <div className="split-pane">{props.first}</div>
      {!isWhole && (
        // biome-ignore lint/a11y/useSemanticElements: a movable divider is a separator with a value
        <div
          className="split-bar"
          role="separator"
          aria-label={props.label ?? "Pane width"}
          aria-orientation="vertical"
          aria-valuenow={Math.round(share * 100)}
          aria-valuemin={MIN * 100}
          aria-valuemax={MAX * 100}
          tabIndex={0}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={drag}
          onKeyDown={(event) => {
            if (event.key === "ArrowLeft") move(share - 0.04);
            if (event.key === "ArrowRight") move(share + 0.04);
          }}
        />
      )}
      {!isWhole && <div className="split-pane">{props.second}</div>}
    </div>
  );
}

function columns(share: number): string {
  return `minmax(0, ${share}fr) auto minmax(0, ${1 - share}fr)`;
}

function stored(id: string): number | undefined {
  const kept = Number(localStorage.getItem(`whyrank.split.${id}`));
  return kept >= MIN && kept <= MAX ? kept : undefined;
}
