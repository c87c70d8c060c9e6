// The risk of a change.

import { count } from "../../components/format";
import { riskTone } from "./words";

/** The risk as a number and as a bar. */
export function Risk({ risk }: { risk: number }) {
  return (
    <span className="changes-risk" data-tone={riskTone(risk)} title={`Risk ${count(risk)} of 100`}>
      <span className="visually-hidden">Risk </span>
      <b>{count(risk)}</b>
      <span className="changes-bar" aria-hidden="true">
        <span style={{ width: `${Math.min(100, risk)}%` }} />
      </span>
    </span>
  );
}
