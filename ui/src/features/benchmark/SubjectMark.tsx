// A subject's mark: a shape and a colour that are its own, so neither is needed alone.

import { createContext, useContext } from "react";
import { colourOf, shapeOf, slotsOf, subjectLabel } from "./subjects";

/** Slots of the subjects on the screen. */
export const Subjects = createContext<Map<string, number>>(slotsOf([]));

export function useSlot(subject: string): number {
  return useContext(Subjects).get(subject) ?? 0;
}

/** The mark inside a drawing; hollow where the figure covers only some of the tasks. */
export function Mark(props: { subject: string; x: number; y: number; hollow?: boolean }) {
  const slot = useSlot(props.subject);
  const colour = colourOf(slot);
  return (
    <path
      d={shapeOf(slot)}
      transform={`translate(${props.x} ${props.y})`}
      fill={props.hollow ? "var(--bg)" : colour}
      stroke={props.hollow ? colour : "var(--bg)"}
      strokeWidth={props.hollow ? 1.6 : 1}
    />
  );
}

/** Mark and name. */
export function SubjectName({ subject }: { subject: string }) {
  return (
    <span className="bench-subject">
      <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">
        <Mark subject={subject} x={0} y={0} />
      </svg>
      <span className="ellipsis" title={subjectLabel(subject)}>
        {subjectLabel(subject)}
      </span>
    </span>
  );
}
