// The chosen row: its arithmetic in full, and why it stands above or below another.

import { navigate, showInGraph } from "../../app/route";
import { Choice } from "../../components/Choice";
import { Button } from "../../components/controls";
import { OpenInEditor } from "../../components/OpenInEditor";
import { pathOf } from "../../components/repository-of";
import type { Trace, TraceRow } from "../../ipc";
import { optionOf, rowKey, termsOf } from "./arithmetic";
import { ContributionBar, type Scale } from "./ContributionBar";
import { InWords } from "./InWords";
import { Sum } from "./Sum";

export function RowPanel(props: {
  trace: Trace;
  row: TraceRow;
  other: TraceRow | undefined;
  scale: Scale;
  /** The row stands as weights that are tried have it. */
  isTrial: boolean;
  onCompare: (key: string | undefined) => void;
}) {
  const { trace, row, other } = props;
  const terms = termsOf(row, trace);
  return (
    <aside className="row-panel" aria-label="Arithmetic of the chosen row" data-testid="row-panel">
      <header>
        <h2 className="code wrap">{row.symbol ?? row.path.split("/").pop()}</h2>
        <p className="row-place small muted">
          <span className="wrap">
            {pathOf(row)}:{row.start_line}–{row.end_line}
            {row.part && ` · found in lines ${row.part.start_line}–${row.part.end_line}`}
          </span>
          {!row.repo && <OpenInEditor path={row.path} line={row.start_line} />}
        </p>
        {!row.shown && (
          <p className="small muted">
            {trace.rows.some((one) => one.shown && one.path === row.path && one.repo === row.repo)
              ? "Not shown: another hit of its file is."
              : "Not shown: below the limit."}
          </p>
        )}
      </header>
      {other && other !== row && !props.isTrial && (
        <InWords trace={trace} row={row} other={other} />
      )}
      <ContributionBar
        terms={terms}
        scale={props.scale}
        score={row.score}
        height={16}
        interactive
      />
      <Sum terms={terms} score={row.score} />
      <Compare {...props} row={row} other={other} />
    </aside>
  );
}

function Compare(props: {
  trace: Trace;
  row: TraceRow;
  other: TraceRow | undefined;
  onCompare: (key: string | undefined) => void;
}) {
  const { trace, row, other } = props;
  const choices = trace.rows.filter((one) => one !== row).slice(0, 50);
  return (
    <section className="compare">
      <h3>Compare with</h3>
      <Choice
        label="Compare with"
        data-testid="compare-with"
        value={other && other !== row ? rowKey(other) : ""}
        options={[{ value: "", label: "Choose a row" }, ...choices.map(optionOf)]}
        onChange={(key) => props.onCompare(key || undefined)}
      />
      <p className="small muted">
        Shift-click a row, or press Shift with an arrow key, to compare.
      </p>
      <div className="row-actions">
        <Button
          icon="search"
          onPress={() => navigate({ view: "search", params: { q: trace.query } })}
        >
          Show in code
        </Button>
        <Button icon="graph" data-testid="explain-graph" onPress={() => showInGraph(row)}>
          Show in graph
        </Button>
      </div>
    </section>
  );
}
