// The rank table, and beside it the arithmetic of the chosen row; both follow the weights that are tried.

import { useMemo, useState } from "react";
import { CHANNELS } from "../../components/channels";
import { Button } from "../../components/controls";
import type { Trace, TraceRow } from "../../ipc";
import { fusedRanks, rowKey, termsOf } from "./arithmetic";
import { scaleOf } from "./ContributionBar";
import type { RankedRow } from "./RankRow";
import { RankTable } from "./RankTable";
import { RowPanel } from "./RowPanel";
import { changes, type Factors, refuse } from "./refuse";
import { lateRank, type Sort, sortRows } from "./sort";
import { WeightTray } from "./WeightTray";

export function RankingPanel(props: {
  trace: Trace;
  chosen: string | undefined;
  factors: Factors;
  onFactors: (factors: Factors) => void;
  onChoose: (key: string) => void;
}) {
  const { trace, chosen, onChoose, factors } = props;
  const isTrial = changes(factors);
  const [trayOpen, setTrayOpen] = useState(false);
  const [onlyShown, setOnlyShown] = useState(true);
  const [sort, setSort] = useState<Sort>({ by: "rank", descending: false });
  const [against, setAgainst] = useState<string>();

  const ranked = useMemo(() => rankedRows(trace, factors), [trace, factors]);
  const scale = useMemo(() => scaleOf([...ranked.values()].map((one) => one.terms)), [ranked]);
  const channels = channelsOf(trace);
  const all = [...ranked.keys()];
  const rows = sortRows(
    all.filter((one) => one.shown || !onlyShown),
    sort,
  );
  const current = all.find((one) => rowKey(one) === chosen) ?? all[0];

  return (
    <div className="ranking">
      <div className="ranking-table">
        <div className="ranking-filter">
          <label className="check">
            <input
              type="checkbox"
              checked={onlyShown}
              onChange={(event) => setOnlyShown(event.target.checked)}
            />
            Shown results only
            <span className="muted">
              ({rows.length} of {all.length})
            </span>
          </label>
          <Button
            icon="settings"
            aria-expanded={trayOpen || isTrial}
            data-testid="try-weights"
            onPress={() => setTrayOpen(!trayOpen)}
          >
            Try weights
          </Button>
        </div>
        {(trayOpen || isTrial) && (
          <WeightTray channels={channels} factors={factors} onFactors={props.onFactors} />
        )}
        <RankTable
          rows={rows.flatMap((one) => ranked.get(one) ?? [])}
          channels={channels}
          scale={scale}
          sort={sort}
          chosen={current && rowKey(current)}
          onSort={setSort}
          against={against}
          onChoose={(one) => onChoose(rowKey(one))}
          onCompare={(one) => setAgainst(rowKey(one))}
        />
      </div>
      {current && (
        <RowPanel
          trace={trace}
          row={current}
          other={all.find((one) => rowKey(one) === against)}
          scale={scale}
          isTrial={isTrial}
          onCompare={setAgainst}
        />
      )}
    </div>
  );
}

/** Rows as the weights that are tried have them, each with where it came from. */
function rankedRows(trace: Trace, factors: Factors): Map<TraceRow, RankedRow> {
  if (!changes(factors)) {
    const byFusion = fusedRanks(trace.rows);
    const since = "from fusion alone";
    return new Map(
      trace.rows.map((row) => [
        row,
        { row, terms: termsOf(row, trace), from: byFusion.get(row) ?? row.rank, since },
      ]),
    );
  }
  const since = "with the weights as they are";
  return new Map(
    refuse(trace, factors).map(({ was, now }) => [
      now,
      { row: now, terms: termsOf(now, trace), from: was.rank, since },
    ]),
  );
}

function channelsOf(trace: Trace) {
  return CHANNELS.filter(
    (channel) =>
      trace.channels.some((run) => run.channel === channel) &&
      (channel !== "late-interaction" || trace.rows.some((one) => lateRank(one) !== null)),
  );
}
