// "Why is A above B", in the engine's words; the largest differing terms first.

import { plural, signed } from "../../components/format";
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
  const { most = terms.length } = props;
  // A few must tell why it is ahead: what speaks for it first, and what the others come to.
  const told = most < terms.length ? inFavor(terms, by).slice(0, most) : terms;
  const others = by - told.reduce((sum, term) => sum + term.by, 0);
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
        {told.length < terms.length && (
          <li>
            <span className="num code" data-negative={others < 0 || undefined}>
              {signed(others)}
            </span>
            <span className="muted">{plural(terms.length - told.length, "other term")}</span>
          </li>
        )}
        {told.length > 0 && (
          <li className="in-words-sum">
            <span className="num code">{signed(by)}</span>
            <span className="muted">sum</span>
          </li>
        )}
      </ul>
    </div>
  );
}

function inFavor<Term extends { by: number }>(terms: readonly Term[], by: number): Term[] {
  return [...terms].sort((a, b) => (by < 0 ? a.by - b.by : b.by - a.by));
}
