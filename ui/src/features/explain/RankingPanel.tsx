// The rank table, and beside it the arithmetic of the chosen row.

import { useMemo, useState } from "react";
import { CHANNELS } from "../../components/channels";
import type { Trace } from "../../ipc";
import { fusedRanks, rowKey, termsOf } from "./arithmetic";
import { scaleOf } from "./ContributionBar";
import { RankTable } from "./RankTable";
import { RowPanel } from "./RowPanel";
import { lateRank, type Sort, sortRows } from "./sort";

export function RankingPanel(props: {
  trace: Trace;
  chosen: string | undefined;
  onChoose: (key: string) => void;
}) {
  const { trace, chosen, onChoose } = props;
  const [onlyShown, setOnlyShown] = useState(true);
  const [sort, setSort] = useState<Sort>({ by: "rank", descending: false });
  const [against, setAgainst] = useState<string>();

  const terms = useMemo(
    () => new Map(trace.rows.map((one) => [one, termsOf(one, trace)])),
    [trace],
  );
  const moved = useMemo(() => fusedRanks(trace.rows), [trace]);
  const scale = useMemo(() => scaleOf([...terms.values()]), [terms]);
  const channels = CHANNELS.filter(
    (channel) =>
      trace.channels.some((run) => run.channel === channel) &&
      (channel !== "late-interaction" || trace.rows.some((one) => lateRank(one) !== null)),
  );
  const rows = sortRows(
    trace.rows.filter((one) => one.shown || !onlyShown),
    sort,
  );
  const current = trace.rows.find((one) => rowKey(one) === chosen) ?? trace.rows[0];
  const other = trace.rows.find((one) => rowKey(one) === against);

  return (
    <div className="ranking">
      <div className="ranking-table">
        <label className="check ranking-filter">
          <input
            type="checkbox"
            checked={onlyShown}
            onChange={(event) => setOnlyShown(event.target.checked)}
          />
          Only hits that were shown
          <span className="muted">
            ({rows.length} of {trace.rows.length})
          </span>
        </label>
        <RankTable
          rows={rows}
          channels={channels}
          terms={terms}
          moved={moved}
          scale={scale}
          sort={sort}
          chosen={current && rowKey(current)}
          onSort={setSort}
          against={other}
          onChoose={(one) => onChoose(rowKey(one))}
          onCompare={(one) => setAgainst(rowKey(one))}
        />
      </div>
      {current && (
        <RowPanel trace={trace} row={current} other={other} scale={scale} onCompare={setAgainst} />
      )}
    </div>
  );
}
