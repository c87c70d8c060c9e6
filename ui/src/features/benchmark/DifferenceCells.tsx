// A paired difference in a table: in figures, drawn, and in a word.

import type { Paired } from "../../ipc";
import { DifferenceBar } from "./DifferenceBar";
import { signedInterval, signedScore } from "./figures";
import { OutcomePill } from "./OutcomePill";
import { isSame, outcomeOf } from "./verdict";

export function DifferenceCells({ paired, widest }: { paired: Paired; widest: number }) {
  return (
    <>
      <td className="num">
        {signedScore(paired.difference.mean)}{" "}
        <span className="muted">{signedInterval(paired.difference)}</span>
      </td>
      <td className="bench-drawn">
        <DifferenceBar estimate={paired.difference} widest={widest} />
      </td>
      <td>
        <OutcomePill outcome={isSame(paired) ? "same" : outcomeOf(paired)} />
      </td>
    </>
  );
}
