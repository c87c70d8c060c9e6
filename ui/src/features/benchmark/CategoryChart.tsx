// Dot and whisker for each subject, by kind of question.

import { plural } from "../../components/format";
import type { SummaryRow } from "../../ipc";
import { categoryName, interval, metricName, score } from "./figures";
import { grouped, type RowGroup } from "./rows";
import { Mark, SubjectName } from "./SubjectMark";
import { crisp, linear, type Scale, ticks } from "./scale";
import { subjectLabel } from "./subjects";
import { useWidth } from "./useWidth";

const LANE = 15;
const PAD = 7;
const NAME = 134;
const VALUE = 40;
/** Two lines of name, and the space around them: no name stands over the next. */
const NAME_HEIGHT = 42;

export function CategoryChart({ rows }: { rows: SummaryRow[] }) {
  const [box, width] = useWidth(640);
  const groups = grouped(rows);
  const subjects = [...new Set(rows.map((row) => row.subject))];
  const x = linear([0, 1], [NAME, width - VALUE - 12]);
  if (groups.length === 0) return null;
  return (
    <section className="bench-panel" aria-label="By category">
      <header className="bench-panel-head">
        <h3>By category</h3>
        <ul className="bench-legend">
          {subjects.map((subject) => (
            <li key={subject}>
              <SubjectName subject={subject} />
            </li>
          ))}
        </ul>
      </header>
      <div ref={box} className="bench-chart" data-testid="bench-categories">
        <Ruler x={x} width={width} />
        {groups.map((group) => (
          <Band key={group.name} group={group} x={x} width={width} />
        ))}
      </div>
    </section>
  );
}

function Ruler({ x, width }: { x: Scale; width: number }) {
  return (
    <svg className="bench-axes bench-ruler" width={width} height={18} aria-hidden="true">
      {ticks(0, 1, 4).map((tick) => (
        <text key={tick} x={x(tick)} y={12} textAnchor="middle">
          {tick === 0 ? "0" : tick === 1 ? "1" : tick.toFixed(2).replace(/^0/, "")}
        </text>
      ))}
    </svg>
  );
}

function Band({ group, x, width }: { group: RowGroup; x: Scale; width: number }) {
  const height = Math.max(NAME_HEIGHT, group.rows.length * LANE + 2 * PAD);
  const top = (height - group.rows.length * LANE) / 2;
  const first = group.rows[0];
  return (
    <div className="bench-band">
      <div className="bench-band-name">
        <b className="ellipsis" title={group.name}>
          {categoryName(group.name)}
        </b>
        <span className="small muted ellipsis">
          {metricName(first?.headline ?? null)} · {plural(first?.n ?? 0, "task")}
        </span>
      </div>
      <svg width={width} height={height} role="img" aria-label={wordsOf(group)}>
        <g className="bench-axes">
          {ticks(0, 1, 4).map((tick) => (
            <path key={tick} d={`M${crisp(x(tick))} 0V${height}`} />
          ))}
        </g>
        {group.rows.map((row, index) => (
          <Lane key={row.subject} row={row} x={x} y={top + (index + 0.5) * LANE} width={width} />
        ))}
      </svg>
    </div>
  );
}

function Lane(props: { row: SummaryRow; x: Scale; y: number; width: number }) {
  const { row, x, y } = props;
  const best = score(row.value.mean);
  return (
    <g className="bench-lane">
      <title>{`${subjectLabel(row.subject)} ${best} ${interval(row.value)}, ${row.n} tasks`}</title>
      <rect x={NAME} y={y - LANE / 2} width={props.width - NAME} height={LANE} />
      <path className="bench-whisker" d={`M${x(row.value.low)} ${y}H${x(row.value.high)}`} />
      <Mark subject={row.subject} x={x(row.value.mean)} y={y} />
      <text x={props.width - 4} y={y} textAnchor="end" dominantBaseline="central">
        {best}
      </text>
    </g>
  );
}

function wordsOf({ name, rows }: RowGroup): string {
  const each = rows.map(
    (row) => `${subjectLabel(row.subject)} ${score(row.value.mean)} ${interval(row.value)}`,
  );
  return `${categoryName(name)}: ${each.join("; ")}`;
}
