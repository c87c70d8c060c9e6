// What is wrong with a pattern, at the place where it is.

import { Icon } from "../../components/Icon";
import type { PatternProblem as Problem } from "../../ipc";

export function PatternProblem({ pattern, problem }: { pattern: string; problem: Problem }) {
  const { start } = problem;
  // A place has no length; it is shown at the character there.
  const end = Math.max(problem.end, start + 1);
  return (
    <p className="pattern-problem" role="status" data-testid="pattern-problem">
      <Icon name="warn" />
      <span className="code pattern-source">
        {pattern.slice(0, start)}
        <mark>{pattern.slice(start, end) || " "}</mark>
        {pattern.slice(end)}
      </span>
      <span>
        {problem.message}, at character {start + 1}
      </span>
    </p>
  );
}
