// Candidates by row, channels by column: the rank in each, and what came of it.

import type { KeyboardEvent, ReactNode } from "react";
import { showInGraph } from "../../app/route";
import { ChannelDot } from "../../components/channels";
import { sig3, signed } from "../../components/format";
import { Icon } from "../../components/Icon";
import type { Channel, TraceRow } from "../../ipc";
import { rowKey, type Term } from "./arithmetic";
import { ContributionBar, type Scale } from "./ContributionBar";
import { evidenceSum, type Sort, type SortKey } from "./sort";

export function RankTable(props: {
  rows: TraceRow[];
  channels: readonly Channel[];
  terms: Map<TraceRow, Term[]>;
  moved: Map<TraceRow, number>;
  scale: Scale;
  sort: Sort;
  chosen: string | undefined;
  against: TraceRow | undefined;
  onSort: (sort: Sort) => void;
  onChoose: (row: TraceRow) => void;
  /** Holds the chosen row against another: Shift-click, or Shift and an arrow. */
  onCompare: (row: TraceRow) => void;
}) {
  const { sort, onSort } = props;
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
        <tbody>
          {props.rows.map((row, index) => (
            <Row
              key={rowKey(row)}
              row={row}
              channels={props.channels}
              terms={props.terms.get(row) ?? []}
              fusedRank={props.moved.get(row) ?? row.rank}
              scale={props.scale}
              chosen={rowKey(row) === props.chosen}
              onChoose={() => props.onChoose(row)}
              onCompare={props.onCompare}
              above={props.rows[index - 1]}
              below={props.rows[index + 1]}
              against={row === props.against}
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

function Row(props: {
  row: TraceRow;
  channels: readonly Channel[];
  terms: Term[];
  fusedRank: number;
  scale: Scale;
  chosen: boolean;
  against: boolean;
  above: TraceRow | undefined;
  below: TraceRow | undefined;
  onChoose: () => void;
  onCompare: (row: TraceRow) => void;
}) {
  const { row } = props;
  const name = row.symbol ?? row.path.split("/").pop() ?? row.path;
  const evidence = evidenceSum(row);
  return (
    <tr
      className="rank-row"
      data-testid="explain-row"
      data-path={row.path}
      data-line={row.start_line}
      data-rank={row.rank}
      data-hidden={!row.shown || undefined}
      aria-selected={props.chosen}
      data-against={props.against || undefined}
      data-begin={props.chosen || undefined}
      tabIndex={props.chosen ? 0 : -1}
      onPointerDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={(event) => (event.shiftKey ? props.onCompare(row) : props.onChoose())}
      onFocus={(event) => event.target === event.currentTarget && props.onChoose()}
      onKeyDown={(event) => {
        const other = event.key === "ArrowUp" ? props.above : props.below;
        if (event.key === "g" && !event.ctrlKey && !event.metaKey) showInGraph(row);
        else if (event.shiftKey && event.key.startsWith("Arrow") && other) props.onCompare(other);
        else moveBetweenRows(event);
      }}
    >
      <td className="num">
        {row.rank}
        <Movement from={props.fusedRank} to={row.rank} />
      </td>
      <td className="candidate">
        <span className="code ellipsis">{name}</span>
        <span className="small muted path-start ellipsis" title={`${row.path}:${row.start_line}`}>
          <bdi>
            {row.path}:{row.start_line}
          </bdi>
        </span>
      </td>
      {props.channels.map((channel) => {
        const entry = placeIn(row, channel);
        return (
          <td key={channel} className={entry ? "num" : "num muted"}>
            {entry ? <span title={`own score ${sig3(entry.raw_score)}`}>{entry.rank}</span> : "–"}
          </td>
        );
      })}
      <td className="num in-panel">{sig3(row.fused)}</td>
      <td className="num in-panel" data-negative={evidence < 0 || undefined}>
        {evidence === 0 ? <span className="muted">–</span> : signed(evidence)}
      </td>
      <td className="num strong" data-testid="explain-score" data-score={row.score}>
        {sig3(row.score)}
      </td>
      <td className="bar-cell">
        <ContributionBar terms={props.terms} scale={props.scale} score={row.score} />
      </td>
    </tr>
  );
}

/** A row's rank in a channel and its own score there; late interaction rescores what others found. */
function placeIn(row: TraceRow, channel: Channel): { rank: number; raw_score: number } | undefined {
  if (channel === "late-interaction" && row.late) {
    return { rank: row.late.rank, raw_score: row.late.score };
  }
  return row.channels.find((one) => one.channel === channel);
}

/** How evidence moved a row from where fusion alone would have put it. */
function Movement({ from, to }: { from: number; to: number }) {
  const by = from - to;
  if (by === 0) return <span className="movement" />;
  const words = `${by > 0 ? "up" : "down"} ${Math.abs(by)} from rank ${from} by fusion alone`;
  return (
    <span className="movement" data-up={by > 0 || undefined} title={words}>
      <Icon name={by > 0 ? "up" : "down"} />
      <span aria-hidden="true">{Math.abs(by)}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}

function moveBetweenRows(event: KeyboardEvent<HTMLTableRowElement>): void {
  const { currentTarget: row, key } = event;
  const next =
    key === "ArrowDown" || key === "j"
      ? row.nextElementSibling
      : key === "ArrowUp" || key === "k"
        ? row.previousElementSibling
        : null;
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}
