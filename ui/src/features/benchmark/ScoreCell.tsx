// A subject's score on a task: the best is bold, failures and gaps say what they are.

import { count } from "../../components/format";
import { Icon } from "../../components/Icon";
import type { TaskLine } from "../../ipc";
import { score } from "./figures";
import { scoreOf, type TaskRow } from "./tasks";

export function ScoreCell({ line, row }: { line: TaskLine | undefined; row: TaskRow }) {
  if (!line) return <span className="muted">–</span>;
  if (line.unsupported) {
    return (
      <span className="small muted" title="Does not do this kind of task">
        n/a
      </span>
    );
  }
  if (line.error) {
    return (
      <span className="small bench-error" title={line.error}>
        <Icon name="fail" /> error
      </span>
    );
  }
  return (
    <span
      className="bench-score"
      data-zero={line.value === 0 || undefined}
      data-best={isBest(row, line.value) || undefined}
      title={`${count(line.tokens)} tokens`}
    >
      {score(line.value)}
    </span>
  );
}

/** Highest of those that differ. */
function isBest(row: TaskRow, value: number): boolean {
  const values = Object.keys(row.lines).flatMap((subject) => scoreOf(row, subject) ?? []);
  return value === Math.max(...values) && value > Math.min(...values);
}
