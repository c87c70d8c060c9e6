// All figures of a suite, grouped one way or another, and the paired differences.

import { useState } from "react";
import { Choice, plainOptions } from "../../components/Choice";
import { Segmented } from "../../components/controls";
import type { GroupBy, Summary } from "../../ipc";
import { FigureTable } from "./FigureTable";
import { PairTable } from "./PairTable";
import { rowsBy, suitesOf } from "./rows";

const WAYS = [
  { value: "all", label: "Whole suite" },
  { value: "category", label: "Category" },
  { value: "language", label: "Language" },
  { value: "repository", label: "Repository" },
  { value: "stratum", label: "Stratum" },
] as const;

export function TablesPanel({ summary }: { summary: Summary }) {
  const suites = suitesOf(summary);
  const [picked, setPicked] = useState(suites[0] ?? "");
  const [by, setBy] = useState<GroupBy>("category");
  const suite = suites.includes(picked) ? picked : (suites[0] ?? "");
  const ways = WAYS.filter((way) => rowsBy(summary, suite, way.value).length > 0);
  const rows = rowsBy(summary, suite, by);
  const wholes = by === "all" ? rowsBy(summary, suite, "without-p5") : [];
  const pairs = summary.pairs.filter((pair) => pair.suite === suite);
  return (
    <div className="bench-tables">
      <div className="bench-bar">
        {suites.length > 1 && (
          <Choice
            showLabel
            slim
            label="Suite"
            data-testid="bench-tables-suite"
            value={suite}
            options={plainOptions(suites)}
            onChange={setPicked}
          />
        )}
        <Segmented label="Rows by" value={by} options={ways} onChange={setBy} />
      </div>
      <FigureTable
        key={`${suite} ${by}`}
        rows={[...rows, ...wholes].map(named)}
        heading={WAYS.find((way) => way.value === by)?.label ?? ""}
        main={summary.run.subjects[0]?.name ?? ""}
      />
      {pairs.length > 0 && <PairTable pairs={pairs} />}
    </div>
  );
}

function named(row: Summary["rows"][number]) {
  if (row.group.by === "all") return { ...row, group: { ...row.group, name: "All tasks" } };
  if (row.group.by === "without-p5") return { ...row, group: { ...row.group, name: "Without P5" } };
  return row;
}
