// The scatter's figures as a table.

import { count } from "../../components/format";
import { Icon } from "../../components/Icon";
import type { SummaryRow } from "../../ipc";
import { countInterval, interval, score } from "./figures";
import { isPartial } from "./rows";
import { ScrollBox } from "./ScrollBox";
import { SubjectName } from "./SubjectMark";
import { paretoFront } from "./scale";

export function CostTable({ rows }: { rows: SummaryRow[] }) {
  const front = new Set(frontOf(rows).map((one) => one.subject));
  const ordered = [...rows].sort((a, b) => b.value.mean - a.value.mean);
  return (
    <ScrollBox label="Score and tokens">
      <table className="bench-table" data-testid="bench-cost-table">
        <thead>
          <tr>
            <th>Tool</th>
            <th className="num">n</th>
            <th className="num">Score</th>
            <th className="num">Tokens per task</th>
            <th>On the Pareto front</th>
          </tr>
        </thead>
        <tbody>
          {ordered.map((row) => (
            <tr key={row.subject}>
              <td>
                <SubjectName subject={row.subject} />
              </td>
              <td className="num">{count(row.n)}</td>
              <td className="num">
                {score(row.value.mean)} <span className="muted">{interval(row.value)}</span>
              </td>
              <td className="num">
                {count(row.tokens.mean)} <span className="muted">{countInterval(row.tokens)}</span>
              </td>
              <td>
                {front.has(row.subject) && (
                  <span className="bench-yes">
                    <Icon name="check" /> yes
                  </span>
                )}
                {isPartial(row, rows) && <span className="muted">answers only some tasks</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** The Pareto front of those that answer all tasks; easy tasks alone would make a false one. */
export function frontOf(rows: readonly SummaryRow[]) {
  const whole = rows.filter((row) => !isPartial(row, rows));
  return paretoFront(
    whole.map(({ subject, tokens, value }) => ({
      subject,
      tokens: tokens.mean,
      value: value.mean,
    })),
  );
}
