// What is known to be wrong with the truth that answers are compared with.

import type { Defect } from "../../ipc";

export function DefectsPanel({ defects }: { defects: Defect[] }) {
  const suites = [...new Set(defects.map((defect) => defect.suite))];
  return (
    <div className="bench-defects" data-testid="bench-defects">
      <p className="muted">
        Scores are computed against each suite's truth as published. These are its known faults;
        they affect every tool.
      </p>
      {suites.map((suite) => (
        <section key={suite}>
          <h3>{suite}</h3>
          <ul>
            {defects
              .filter((defect) => defect.suite === suite)
              .map((defect) => (
                <li key={`${defect.task} ${defect.text}`}>
                  <span className="small muted code">{defect.task ?? "whole suite"}</span>
                  <span>{defect.text}</span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
