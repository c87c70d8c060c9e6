// Why the chosen hit ranks where it does, beside the code: the sentence, the bars, what sets it apart from the next.

import "./explain.css";
import "./why-lens.css";
import { type ReactNode, useMemo } from "react";
import { fillExplain } from "../../app/fill";
import { navigate } from "../../app/route";
import type { LensProps } from "../../app/selection";
import { session } from "../../app/session";
import { Button } from "../../components/controls";
import { Judge } from "../../components/Judge";
import { judgedPlace } from "../../components/judged";
import { Empty, Failure, Loading } from "../../components/states";
import { type Trace, type TraceRow, useExplain } from "../../ipc";
import { termsOf } from "./arithmetic";
import { GroupBars } from "./GroupBars";
import { InWords } from "./InWords";
import { whyOf } from "./why";

export function WhyLens({ selection }: LensProps) {
  const { hit, queryId } = selection;
  const trace = useExplain(hit && queryId ? queryId : undefined);
  if (!hit || !queryId) return <Unranked />;
  if (trace.isPending) return <Loading label="Reading the trace" isLate />;
  if (trace.isError) return <Failure error={trace.error} onRetry={() => trace.refetch()} />;
  const row = trace.data.rows.find(({ rank }) => rank === hit.rank);
  if (!row) return <Empty>The trace of this answer does not have this result.</Empty>;
  const { repo, asOf } = selection;
  return (
    <Reasons
      trace={trace.data}
      row={row}
      judge={<Judge asked={{ repo, query: trace.data.query, asOf }} place={judgedPlace(hit)} />}
      onFill={() => fillExplain(selection)}
    />
  );
}

function Unranked() {
  const { search } = session.use();
  const ask = () => navigate({ view: "search", params: { q: search.text } });
  return (
    <Empty
      action={search.mode !== "ranked" && <Button onPress={ask}>Search ranked instead</Button>}
    >
      Only what a ranked search found has a rank to explain.
    </Empty>
  );
}

function Reasons(props: { trace: Trace; row: TraceRow; judge: ReactNode; onFill: () => void }) {
  const { trace, row } = props;
  const why = useMemo(() => whyOf(trace, row), [trace, row]);
  const terms = useMemo(() => termsOf(row, trace), [row, trace]);
  const shown = trace.rows.filter((one) => one.shown || one === row);
  const at = shown.indexOf(row);
  const next = shown[at + 1];
  return (
    <div className="lens why-lens" data-testid="why-lens">
      <p className="why-lens-sentence" data-testid="why-lens-sentence">
        <b className="code">{row.symbol ?? row.path.split("/").pop()}</b> {why.lead}{" "}
        <strong>{why.turn}</strong>
      </p>
      {props.judge}
      <GroupBars terms={terms} score={row.score} />
      {next && (
        <section>
          <h2 className="minor">Over the next one</h2>
          <InWords trace={trace} row={row} other={next} most={3} />
        </section>
      )}
      <div className="lens-acts">
        <Button icon="explain" data-testid="why-lens-fill" onPress={props.onFill}>
          Compare and try weights
        </Button>
      </div>
    </div>
  );
}
