// A box that scrolls sideways, by keyboard as well.

import type { ReactNode } from "react";

export function ScrollBox(props: { label: string; className?: string; children: ReactNode }) {
  return (
    <section
      className={props.className ? `bench-scroll ${props.className}` : "bench-scroll"}
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
      tabIndex={0}
    >
      {props.children}
    </section>
  );
}
