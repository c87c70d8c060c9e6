// Score against tokens: as a drawing, or as a table of the same figures.

import { useState } from "react";
import { Choice } from "../../components/Choice";
import { Segmented } from "../../components/controls";
import type { GroupBy, Summary } from "../../ipc";
import { CostTable } from "./CostTable";
import { rowsBy } from "./rows";
import { Scatter } from "./Scatter";

export interface Scope {
  by: GroupBy;
  name: string;
  label: string;
}

export function CostPanel(props: { summary: Summary; suite: string; scopes: Scope[] }) {
  const { scopes } = props;
  const [at, setAt] = useState("0");
  const [form, setForm] = useState<"chart" | "table">("chart");
  const scope = scopes[Number(at)] ?? scopes[0];
  if (!scope) return null;
  const rows = rowsBy(props.summary, props.suite, scope.by, scope.name);
  return (
    <section className="bench-panel" aria-label="Score against tokens">
      <header className="bench-panel-head">
        <h3>Score against tokens</h3>
        <Choice
          showLabel
          slim
          label="Tasks"
          value={at}
          options={scopes.map(({ label }, index) => ({ value: String(index), label }))}
          onChange={setAt}
        />
        <Segmented
          label="Score against tokens as"
          value={form}
          options={[
            { value: "chart", label: "Chart" },
            { value: "table", label: "Table" },
          ]}
          onChange={setForm}
        />
      </header>
      {form === "chart" ? <Scatter rows={rows} /> : <CostTable rows={rows} />}
    </section>
  );
}
