// Candidates by row, channels by column: the rank in each, and what came of it.

import { type ReactNode, useRef } from "react";
import { ChannelDot } from "../../components/channels";
import { SortHead } from "../../components/SortHead";
import type { Channel, TraceRow } from "../../ipc";
import { rowKey } from "./arithmetic";
import type { Scale } from "./ContributionBar";
import { type RankedRow, RankRow } from "./RankRow";
import type { Sort, SortKey } from "./sort";
import { useSlide } from "./useSlide";

const BIGGEST_FIRST: SortKey[] = ["fused", "evidence", "score"];
/** These columns move into the side panel on a narrow window. */
const IN_PANEL: SortKey[] = ["fused", "evidence"];

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
  const head = (by: SortKey, label: ReactNode, numeric = true) => {
    const isActive = sort.by === by;
    const descending = isActive ? !sort.descending : BIGGEST_FIRST.includes(by);
    return (
      <SortHead
        key={by}
        label={label}
        numeric={numeric}
        className={IN_PANEL.includes(by) ? "in-panel" : undefined}
        isActive={isActive}
        descending={sort.descending}
        onPress={() => onSort({ by, descending })}
      />
    );
  };
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
            {props.channels.map((channel) => head(channel, <ChannelDot channel={channel} />))}
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
