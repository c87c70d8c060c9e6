// "Why is A above B", in the engine's words; the largest differing terms first.

import { signed } from "../../components/format";
import { FailureLine, Loading } from "../../components/states";
import { type Trace, type TraceRow, useComparison } from "../../ipc";
import { comparedLabel } from "./arithmetic";

export function InWords(props: {
  trace: Trace;
  row: TraceRow;
  other: TraceRow;
  /** Terms at most; all of them without it. */
  most?: number;
}) {
  const { trace, row, other } = props;
  const compared = useComparison(trace.query_id, row.rank, other.rank);
  if (compared.isError) return <FailureLine error={compared.error} />;
  if (!compared.data) return <Loading label="Comparing" isLate />;
  const { sentence, terms, by } = compared.data;
  const told = terms.slice(0, props.most);
  return (
    <div className="in-words" data-testid="in-words">
      <p className="strong">{sentence}</p>
      <ul>
        {told.map((term) => (
          <li key={term.name}>
            <span className="num code" data-negative={term.by < 0 || undefined}>
              {signed(term.by)}
            </span>
            <span>
              <b>{comparedLabel(term.name)}</b> {term.words}
            </span>
          </li>
        ))}
        {told.length > 0 && told.length === terms.length && (
          <li className="in-words-sum">
            <span className="num code">{signed(by)}</span>
            <span className="muted">sum</span>
          </li>
        )}
      </ul>
    </div>
  );
}
