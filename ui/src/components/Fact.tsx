// A name and what it is, in a list of facts (`dl`).

import type { ReactNode } from "react";

export function Fact(props: { name: string; className?: string; children: ReactNode }) {
  return (
    <div>
      <dt className="muted">{props.name}</dt>
      <dd className={props.className}>{props.children}</dd>
    </div>
  );
}
