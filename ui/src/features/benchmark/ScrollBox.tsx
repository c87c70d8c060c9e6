// A box that scrolls sideways, by keyboard as well. A note stands below its scrollbar.

import { type ReactNode, useId } from "react";

export function ScrollBox(props: {
  label: string;
  className?: string;
  note?: string;
  children: ReactNode;
}) {
  const note = useId();
  const box = (
    <section
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
