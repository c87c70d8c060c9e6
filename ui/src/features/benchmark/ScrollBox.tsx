// A box that scrolls sideways, by keyboard as well. A note stands below its scrollbar.

import { type ReactNode, useId, useRef } from "react";
import { useMoreToTheRight } from "./useMoreToTheRight";

export function ScrollBox(props: {
  label: string;
  className?: string;
  note?: string;
  children: ReactNode;
}) {
  const note = useId();
  const scroller = useRef<HTMLElement>(null);
  const hasMore = useMoreToTheRight(scroller);
  const box = (
    <section
      ref={scroller}
      data-more={hasMore || undefined}
      className={props.className ? `bench-scroll ${props.className}` : "bench-scroll"}
      aria-label={props.label}
      aria-describedby={props.note ? note : undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
      tabIndex={0}
    >
      {props.children}
    </section>
  );
  if (!props.note) return box;
  return (
    <div className="bench-noted">
      {box}
      <p id={note} className="small muted">
        {props.note}
      </p>
    </div>
  );
}
