// The answer first: who wins on each suite; then at what cost, and on which kind of question.

import { useState } from "react";
import { Choice, plainOptions } from "../../components/Choice";
import type { Summary } from "../../ipc";
import { CategoryChart } from "./CategoryChart";
import { CostPanel, type Scope } from "./CostPanel";
import { categoryName } from "./figures";
import { rowsBy, suitesOf } from "./rows";
import { SuiteCard } from "./SuiteCard";
import { verdictOf } from "./verdict";

export function Overview({ summary }: { summary: Summary }) {
  const suites = suitesOf(summary);
  const [picked, setPicked] = useState(suites[0] ?? "");
  const suite = suites.includes(picked) ? picked : (suites[0] ?? "");
  return (
    <div className="bench-overview">
      <ul className="bench-cards" aria-label="Suites">
        {suites.map((one) => (
          <SuiteCard
            key={one}
            verdict={verdictOf(summary, one)}
            withoutP5={withoutP5(summary, one)}
            isOpen={one === suite}
            onOpen={suites.length > 1 ? () => setPicked(one) : undefined}
          />
        ))}
      </ul>
      {suites.length > 1 && (
        <Choice
          showLabel
          slim
          label="Charts of"
          data-testid="bench-suite-choice"
          value={suite}
          options={plainOptions(suites)}
          onChange={setPicked}
        />
      )}
      <CostPanel key={suite} summary={summary} suite={suite} scopes={scopesOf(summary, suite)} />
      <CategoryChart rows={rowsBy(summary, suite, "category")} />
    </div>
  );
}

/** The main subject's row without dead code, where that is another set of tasks. */
function withoutP5(summary: Summary, suite: string) {
  const name = summary.run.subjects[0]?.name;
  const row = rowsBy(summary, suite, "without-p5").find((one) => one.subject === name);
  const whole = rowsBy(summary, suite, "all").find((one) => one.subject === name);
  return row && row.n !== whole?.n ? row : undefined;
}

function scopesOf(summary: Summary, suite: string): Scope[] {
  const all = rowsBy(summary, suite, "all");
  const without = rowsBy(summary, suite, "without-p5");
  const categories = new Set(rowsBy(summary, suite, "category").map((row) => row.group.name));
  const differs = without.some((row) => all.find((o) => o.subject === row.subject)?.n !== row.n);
  return [
    { by: "all", name: "", label: "All tasks" },
    ...(differs ? [{ by: "without-p5" as const, name: "", label: "Without P5" }] : []),
    ...[...categories].map((name) => ({
      by: "category" as const,
      name,
      label: categoryName(name),
    })),
  ];
}
