// The lines of the bump chart and the stages that they pass.

import { rowKey } from "./arithmetic";
import { type Drawn, deepestOf, inWords, nameOf, pathOf, placeOf, SIDES, xOf } from "./bump";

export function BumpLines(props: Drawn) {
  const { stages, lines, width, height, pointed } = props;
  const rows = lines.map((line) => line.row);
  const deepest = deepestOf(rows, stages);
  const hasDeeper = lines.some((line) => line.points.some((point) => point?.below));
  return (
    <svg
      width={SIDES.left + width + SIDES.right}
      height={SIDES.head + height + SIDES.foot}
      viewBox={`${-SIDES.left} ${-SIDES.head} ${SIDES.left + width + SIDES.right} ${SIDES.head + height + SIDES.foot}`}
      role="img"
      aria-label={`Ranks of ${rows.length} hits after ${stages.map((s) => s.name).join(", ")}; the list beside says the same`}
      data-testid="bump-chart"
    >
      {stages.map((stage, index) => (
        <g key={stage.name}>
          <title>{stage.about}</title>
          <line
            className="bump-axis"
            x1={xOf(index, stages.length, width)}
            x2={xOf(index, stages.length, width)}
            y1={-8}
            y2={height + 8}
          />
          <text
            className="bump-head"
            x={xOf(index, stages.length, width)}
            y={-20}
            textAnchor={index === 0 ? "start" : index === stages.length - 1 ? "end" : "middle"}
          >
            {stage.name}
          </text>
        </g>
      ))}
      {hasDeeper && (
        <text className="bump-head" x={0} y={height + 28}>
          lowest line: rank {deepest + 1} and below
        </text>
      )}
      {lines.map((line) => (
        <Line key={rowKey(line.row)} {...props} line={line} state={stateOf(line, pointed)} />
      ))}
    </svg>
  );
}

const stateOf = (line: Drawn["lines"][number], pointed: string | undefined) =>
  pointed === undefined ? undefined : pointed === rowKey(line.row) ? "main" : "dim";

function Line(props: Drawn & { line: Drawn["lines"][number]; state: string | undefined }) {
  const { stages, state } = props;
  const { row, points } = props.line;
  const key = rowKey(row);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list beside it has the keyboard
    <g
      className="bump-line"
      data-state={state}
      data-place={placeOf(row)}
      onPointerEnter={() => props.onPoint(key)}
      onPointerLeave={() => props.onPoint(undefined)}
      onClick={() => props.onChoose(key)}
    >
      <title>{`${nameOf(row)}: ${inWords(row, stages)}`}</title>
      <path className="bump-reach" d={pathOf(points)} />
      <path className="bump-stroke" d={pathOf(points)} />
      {points.map(
        (point, index) =>
          point && (
            <g key={stages[index]?.name}>
              <circle cx={point.x} cy={point.y} r={state === "main" ? 9 : 3.5} />
              {state === "main" && (
                <text x={point.x} y={point.y + 4} textAnchor="middle">
                  {point.rank}
                </text>
              )}
            </g>
          ),
      )}
    </g>
  );
}
