// Candidates by row, channels by column: the rank in each, and what came of it.

import { type ReactNode, useRef } from "react";
import { ChannelDot } from "../../components/channels";
import { Icon } from "../../components/Icon";
import type { Channel, TraceRow } from "../../ipc";
import { rowKey } from "./arithmetic";
import type { Scale } from "./ContributionBar";
import { type RankedRow, RankRow } from "./RankRow";
import type { Sort, SortKey } from "./sort";
import { useSlide } from "./useSlide";

export function RankTable(props: {
  rows: RankedRow[];
  channels: readonly Channel[];
  scale: Scale;
  sort: Sort;
  chosen: string | undefined;
  against: string | undefined;
  onSort: (sort: Sort) => void;
  onChoose: (row: TraceRow) => void;
  /** Holds the chosen row against another: Shift-click, or Shift and an arrow. */
  onCompare: (row: TraceRow) => void;
}) {
  const { sort, onSort } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  useSlide(body, props.rows.map((ranked) => rowKey(ranked.row)).join());
  const head = (by: SortKey, label: ReactNode, numeric = true) => (
    <SortHead by={by} sort={sort} numeric={numeric} onSort={onSort}>
      {label}
    </SortHead>
  );
  return (
    <div className="table-scroll">
      <table className="rank-table" data-testid="explain-table">
        <caption className="visually-hidden">
          Ranks by channel, and the score they add up to
        </caption>
        <thead>
          <tr>
            {head("rank", "#")}
            {head("path", "Candidate", false)}
            {props.channels.map((channel) => (
              <SortHead key={channel} by={channel} sort={sort} numeric onSort={onSort}>
                <ChannelDot channel={channel} />
              </SortHead>
            ))}
            {head("fused", "Fused")}
            {head("evidence", "Evidence")}
            {head("score", "Score")}
            <th className="bar-head">Contributions</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {props.rows.map((ranked, index) => (
            <RankRow
              key={rowKey(ranked.row)}
              ranked={ranked}
              channels={props.channels}
              scale={props.scale}
              chosen={rowKey(ranked.row) === props.chosen}
              against={rowKey(ranked.row) === props.against}
              above={props.rows[index - 1]?.row}
              below={props.rows[index + 1]?.row}
              onChoose={() => props.onChoose(ranked.row)}
              onCompare={props.onCompare}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SortHead(props: {
  by: SortKey;
  sort: Sort;
  numeric: boolean;
  onSort: (sort: Sort) => void;
  children: ReactNode;
}) {
  const active = props.sort.by === props.by;
  const direction = props.sort.descending ? "descending" : "ascending";
  const biggestFirst = ["fused", "evidence", "score"].includes(props.by);
  const press = () =>
    props.onSort({ by: props.by, descending: active ? !props.sort.descending : biggestFirst });
  return (
    <th aria-sort={active ? direction : "none"} className={headClass(props.by, props.numeric)}>
      <button type="button" className="sort-head" onClick={press}>
        {props.children}
        {active && <Icon name={props.sort.descending ? "down" : "up"} />}
      </button>
    </th>
  );
}

function headClass(by: SortKey, numeric: boolean): string | undefined {
  if (by === "fused" || by === "evidence") return "num in-panel";
  return numeric ? "num" : undefined;
}
