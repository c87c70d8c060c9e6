// What may break when the focus changes, as a table.

import { type KeyboardEvent, useMemo, useState } from "react";
import { count, plural } from "../../components/format";
import { SortHead } from "../../components/SortHead";
import { Empty, Failure, Loading } from "../../components/states";
import { type GraphNode, useGraphView } from "../../ipc";
import type { NodeActions } from "./Drawing";
import {
  biggestFirst,
  FIRST_SORT,
  type ImpactColumn,
  type ImpactRow,
  impactRows,
  sortImpact,
} from "./impact";
import { impactRequest, type Place } from "./place";
import { confidenceWords, fullName, placeOf, riskLevel } from "./words";

const COLUMNS: { by: ImpactColumn; label: string; about: string }[] = [
  { by: "symbol", label: "Symbol", about: "What uses the focus, directly or through others" },
  { by: "distance", label: "Hops", about: "Uses between it and the focus" },
  { by: "confidence", label: "Confidence", about: "Confidence of the weakest use on the path" },
  { by: "tests", label: "Tests", about: "Tests that reach it" },
  { by: "risk", label: "Risk", about: "How much depends on it in turn" },
];

export function ImpactTable(
  props: NodeActions & { repo: string; place: Place; selected: GraphNode | undefined },
) {
  const request = useMemo(() => impactRequest(props.repo, props.place), [props.repo, props.place]);
  const impact = useGraphView(request);
  const [sort, setSort] = useState(FIRST_SORT);
  const rows = useMemo(
    () => (impact.data ? sortImpact(impactRows(impact.data), sort) : []),
    [impact.data, sort],
  );
  if (impact.isPending) return <Loading label="Following uses" />;
  if (impact.isError) return <Failure error={impact.error} onRetry={() => impact.refetch()} />;
  if (rows.length === 0) return <Empty>No use found in the repository.</Empty>;
  const press = (by: ImpactColumn) =>
    setSort({ by, descending: sort.by === by ? !sort.descending : biggestFirst(by) });
  const current = rows.find((row) => row.node.id === props.selected?.id) ?? rows[0];
  return (
    <div className="graph-impact" data-stale={impact.isPlaceholderData || undefined}>
      <p className="small muted" role="status">
        {summary(rows)}
        {impact.data.n_hidden > 0 && ` · ${count(impact.data.n_hidden)} more hidden`}
      </p>
      <table data-testid="graph-impact">
        <caption className="visually-hidden">What may break when the focus changes</caption>
        <thead>
          <tr>
            {COLUMNS.map(({ by, label, about }) => (
              <SortHead
                key={by}
                label={label}
                about={about}
                numeric={by === "distance" || by === "tests"}
                isActive={sort.by === by}
                descending={sort.descending}
                onPress={() => press(by)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.node.id}
              row={row}
              isCurrent={row === current}
              isSelected={row.node.id === props.selected?.id}
              onSelect={() => props.onSelect(row.node)}
              onOpen={() => props.onOpen(row.node)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row(props: {
  row: ImpactRow;
  isCurrent: boolean;
  isSelected: boolean;
  onSelect: () => void;
  onOpen: () => void;
}) {
  const { node, confidence } = props.row;
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.key === "Enter") props.onOpen();
    else moveBetweenRows(event);
  };
  return (
    <tr
      data-testid="graph-impact-row"
      tabIndex={props.isCurrent ? 0 : -1}
      aria-selected={props.isSelected}
      onClick={props.onSelect}
      onDoubleClick={props.onOpen}
      onFocus={(event) => event.target === event.currentTarget && props.onSelect()}
      onKeyDown={onKeyDown}
    >
      <td title={`${fullName(node)}\n${placeOf(node)}`}>
        <span className="graph-impact-name">
          <span className="code ellipsis">{fullName(node)}</span>
          {node.is_test && <span className="badge">test</span>}
        </span>
      </td>
      <td className="num">{node.distance}</td>
      <td>{confidenceWords(confidence)}</td>
      <td className="num">{node.is_test ? "–" : node.tested}</td>
      <td title={node.risk_reason}>
        <b data-risk={riskLevel(node.risk)}>{riskLevel(node.risk)}</b>
      </td>
    </tr>
  );
}

function summary(rows: readonly ImpactRow[]): string {
  const tests = rows.filter((row) => row.node.is_test).length;
  const files = new Set(rows.map((row) => row.node.path)).size;
  const untested = rows.filter((row) => !row.node.is_test && row.node.tested === 0).length;
  return `${plural(rows.length - tests, "dependent")} and ${plural(tests, "test")} in ${plural(files, "file")} · ${untested} without a test`;
}

function moveBetweenRows(event: KeyboardEvent<HTMLTableRowElement>): void {
  const { currentTarget: row, key } = event;
  const down = key === "ArrowDown" || key === "j";
  const up = key === "ArrowUp" || key === "k";
  const next = down ? row.nextElementSibling : up ? row.previousElementSibling : null;
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}
