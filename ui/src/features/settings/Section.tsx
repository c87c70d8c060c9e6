import type { ReactNode } from "react";

export function Section(props: { title: string; children: ReactNode; aside?: ReactNode }) {
  return (
    <section className="settings-section" aria-label={props.title}>
      <div className="settings-head">
        <h2>{props.title}</h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}
