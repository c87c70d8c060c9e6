// A candidate: its rank in each channel, its score, and what the score is made of.

import type { KeyboardEvent } from "react";
import { showInGraph } from "../../app/route";
import { sig3, signed } from "../../components/format";
import { Icon } from "../../components/Icon";
import { PathText } from "../../components/PathText";
import { pathOf } from "../../components/repository-of";
import type { Channel, TraceRow } from "../../ipc";
import { rowKey, type Term } from "./arithmetic";
import { ContributionBar, type Scale } from "./ContributionBar";
import { evidenceSum } from "./sort";

/** A row as it is drawn. */
export interface RankedRow {
  row: TraceRow;
  terms: Term[];
  /** The rank that it is shown to have moved from. */
  from: number;
  /** What put it there: `by fusion alone`. */
  since: string;
}

export function RankRow(props: {
  ranked: RankedRow;
  channels: readonly Channel[];
  scale: Scale;
  chosen: boolean;
  against: boolean;
  above: TraceRow | undefined;
  below: TraceRow | undefined;
  onChoose: () => void;
  /** Holds the chosen row against another: Shift-click, or Shift and an arrow. */
  onCompare: (row: TraceRow) => void;
}) {
  const { row, terms } = props.ranked;
  const name = row.symbol ?? row.path.split("/").pop() ?? row.path;
  const evidence = evidenceSum(row);
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    const other = event.key === "ArrowUp" ? props.above : props.below;
    if (event.key === "g" && !event.ctrlKey && !event.metaKey) showInGraph(row);
    else if (event.shiftKey && event.key.startsWith("Arrow")) {
      event.preventDefault();
      if (other) props.onCompare(other);
    } else moveBetweenRows(event);
  };
  return (
    <tr
      className="rank-row"
      data-testid="explain-row"
      data-key={rowKey(row)}
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
      onKeyDown={onKeyDown}
    >
      <td className="num">
        {row.rank}
        <Movement from={props.ranked.from} to={row.rank} since={props.ranked.since} />
      </td>
      <td className="candidate">
        <span className="code ellipsis">{name}</span>
        <PathText className="small muted" path={`${pathOf(row)}:${row.start_line}`} />
      </td>
      {props.channels.map((channel) => (
        <Place key={channel} row={row} channel={channel} />
      ))}
      <td className="num in-panel">{sig3(row.fused)}</td>
      <td className="num in-panel" data-negative={evidence < 0 || undefined}>
        {evidence === 0 ? <span className="muted">–</span> : signed(evidence)}
      </td>
      <td className="num strong" data-testid="explain-score" data-score={row.score}>
        {sig3(row.score)}
      </td>
      <td className="bar-cell">
        <ContributionBar terms={terms} scale={props.scale} score={row.score} />
      </td>
    </tr>
  );
}

/** Its rank in a channel; late interaction rescores what others found. */
function Place({ row, channel }: { row: TraceRow; channel: Channel }) {
  const entry =
    channel === "late-interaction" && row.late
      ? { rank: row.late.rank, raw_score: row.late.score }
      : row.channels.find((one) => one.channel === channel);
  return (
    <td className={entry ? "num" : "num muted"}>
      {entry ? <span title={`own score ${sig3(entry.raw_score)}`}>{entry.rank}</span> : "–"}
    </td>
  );
}

function Movement({ from, to, since }: { from: number; to: number; since: string }) {
  const by = from - to;
  if (by === 0) return <span className="movement" />;
  const words = `${by > 0 ? "up" : "down"} ${Math.abs(by)} from rank ${from} ${since}`;
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
