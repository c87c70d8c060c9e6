// A paired difference in a table: in figures, drawn, and in a word.

import type { Paired } from "../../ipc";
import { DifferenceBar, type Reach } from "./DifferenceBar";
import { signedInterval, signedScore } from "./figures";
import { OutcomePill } from "./OutcomePill";
import { differsInFew, isSame, outcomeOf } from "./verdict";

export function DifferenceCells(props: {
  paired: Paired;
  reach: Reach;
  /** Where neither is clearly better. */
  level?: string;
}) {
  const { paired } = props;
  return (
    <>
      <td className="num">
        {signedScore(paired.difference.mean)}{" "}
        <span className="muted">{signedInterval(paired.difference)}</span>
      </td>
      <td className="bench-drawn">
        <DifferenceBar estimate={paired.difference} reach={props.reach} />
      </td>
      <td>
        <OutcomePill
          outcome={isSame(paired) ? "same" : outcomeOf(paired)}
          level={differsInFew(paired) ? "Too few differences" : props.level}
        />
      </td>
    </>
  );
}
