// Groups of rows, a row for each subject; the best figure of a group is bold and starred.

import { useState } from "react";
import { SortHead } from "../../components/SortHead";
import type { SummaryRow } from "../../ipc";
import { categoryName, countInterval, interval, metricName } from "./figures";
import {
  bestOf,
  type Column,
  columnsOf,
  grouped,
  type RowGroup,
  sortGroups,
  type TableSort,
} from "./rows";
import { ScrollBox } from "./ScrollBox";
import { SubjectName } from "./SubjectMark";
import { subjectLabel } from "./subjects";

export function FigureTable(props: { rows: SummaryRow[]; heading: string; main: string }) {
  const [sort, setSort] = useState<TableSort>({ by: "group", descending: false });
  const columns = columnsOf(props.rows);
  const groups = sortGroups(grouped(props.rows), columns, sort, props.main);
  const press = (by: string, biggestFirst: boolean) =>
    setSort({ by, descending: sort.by === by ? !sort.descending : biggestFirst });
  return (
    <ScrollBox
      label="Figures"
      className="bench-figures"
      note={`★ best of its group. Sorting by a figure orders groups by ${subjectLabel(props.main)}'s.`}
    >
      <table className="bench-table" data-testid="bench-figures">
        <thead>
          <tr>
            <SortHead
              label={props.heading}
              isActive={sort.by === "group"}
              descending={sort.descending}
              onPress={() => press("group", false)}
            />
            <th className="bench-pinned">Tool</th>
            {columns.map((column) => (
              <SortHead
                key={column.id}
                numeric
                label={column.label}
                about={column.about}
                isActive={sort.by === column.id}
                descending={sort.descending}
                onPress={() => press(column.id, true)}
              />
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <Group key={group.name} group={group} columns={columns} main={props.main} />
        ))}
      </table>
    </ScrollBox>
  );
}

function Group(props: { group: RowGroup; columns: Column[]; main: string }) {
  const { group, columns } = props;
  const best = new Map(columns.map((column) => [column.id, bestOf(group.rows, column)]));
  return (
    <tbody>
      {group.rows.map((row, index) => (
        <tr key={row.subject} data-main={row.subject === props.main || undefined}>
          {index === 0 && (
            <th scope="rowgroup" rowSpan={group.rows.length} className="bench-group">
              {row.group.by === "category" ? categoryName(group.name) : group.name}
              <span className="small muted">{metricName(row.headline)}</span>
            </th>
          )}
          <td className="bench-pinned">
            <SubjectName subject={row.subject} />
          </td>
          {columns.map((column) => (
            <Cell
              key={column.id}
              row={row}
              column={column}
              isBest={best.get(column.id)?.has(row.subject) ?? false}
            />
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function Cell({ row, column, isBest }: { row: SummaryRow; column: Column; isBest: boolean }) {
  return (
    <td className="num" data-best={isBest || undefined}>
      {isBest && (
        <span className="bench-star">
          <span aria-hidden="true">★</span>
          <span className="visually-hidden">best </span>
        </span>
      )}
      {column.text(row)}
      {column.id === "value" && <span className="muted"> {interval(row.value)}</span>}
      {column.id === "tokens" && (
        <span className="muted bench-wide"> {countInterval(row.tokens)}</span>
      )}
    </td>
  );
}
