// Score (up) against tokens a task (right, log): up and to the left is better.

import { useState } from "react";
import { count } from "../../components/format";
import type { SummaryRow } from "../../ipc";
import { Axes } from "./Axes";
import { frontOf } from "./CostTable";
import { countInterval, interval, metricName, score } from "./figures";
import { type Box, isFar, placeLabels, type Spot } from "./labels";
import { isPartial } from "./rows";
import { Mark } from "./SubjectMark";
import {
  linear,
  logarithmic,
  logDomain,
  logTicks,
  type Scale,
  shareDomain,
  shareTicks,
} from "./scale";
import { subjectLabel } from "./subjects";
import { useWidth } from "./useWidth";

const HEIGHT = 320;
const EDGE = { top: 14, right: 24, bottom: 40, left: 46 };

export function Scatter({ rows }: { rows: SummaryRow[] }) {
  const [box, width] = useWidth(640);
  const [shown, setShown] = useState<string | null>(null);
  const x = logarithmic(
    logDomain(rows.flatMap(({ tokens }) => [tokens.low, tokens.mean, tokens.high])),
    [EDGE.left, width - EDGE.right],
  );
  const y = linear(shareDomain(rows.flatMap(({ value }) => [value.low, value.high])), [
    HEIGHT - EDGE.bottom,
    EDGE.top,
  ]);
  const labels = placeLabels(
    rows.map((row) => ({
      x: x(row.tokens.mean),
      y: y(row.value.mean),
      text: subjectLabel(row.subject),
    })),
    { left: EDGE.left, width, height: HEIGHT - EDGE.bottom },
    rows.flatMap((row) => whiskersOf(row, x, y)),
  );
  const headline = rows[0]?.headline ?? null;
  return (
    <div ref={box} className="bench-chart" data-testid="bench-scatter">
      {/* biome-ignore lint/a11y/useSemanticElements: a figure of points, each with its own words */}
      <svg width={width} height={HEIGHT} role="group" aria-label="Score against tokens">
        <Axes
          x={{
            scale: x,
            ticks: logTicks(x.low, x.high),
            text: count,
            label: "tokens a task (log)",
          }}
          y={{
            scale: y,
            ticks: shareTicks(y.low, y.high),
            text: (value) => value.toFixed(2).replace(/^0/, ""),
            label: headline ? metricName(headline) : "score",
          }}
        />
        <Front rows={rows} x={x} y={y} />
        {rows.map((row, index) => (
          <Point
            key={row.subject}
            row={row}
            x={x}
            y={y}
            spot={labels[index] as Spot}
            isPart={isPartial(row, rows)}
            isDim={shown !== null && shown !== row.subject}
            onShow={setShown}
          />
        ))}
      </svg>
      <Readout row={rows.find((row) => row.subject === shown)} rows={rows} />
    </div>
  );
}

/** The lines through a mark, as boxes that names keep off. */
function whiskersOf({ tokens, value }: SummaryRow, x: Scale, y: Scale): Box[] {
  const [left, right] = [x(tokens.low), x(tokens.high)];
  const [top, bottom] = [y(value.high), y(value.low)];
  return [
    { x: left, y: y(value.mean) - 1, width: right - left, height: 2 },
    { x: x(tokens.mean) - 1, y: top, width: 2, height: bottom - top },
  ];
}

/** Steps along the subjects that no other beats on both sides. */
function Front({ rows, x, y }: { rows: SummaryRow[]; x: Scale; y: Scale }) {
  const front = frontOf(rows);
  const [first, ...rest] = front;
  if (!first) return null;
  const steps = rest.map((point) => `H${x(point.tokens)}V${y(point.value)}`);
  const path = `M${x(first.tokens)} ${y(y.low)}V${y(first.value)}${steps.join("")}H${x(x.high)}`;
  return <path className="bench-front" d={path} />;
}

function Point(props: {
  row: SummaryRow;
  x: Scale;
  y: Scale;
  spot: Spot;
  isPart: boolean;
  isDim: boolean;
  onShow: (subject: string | null) => void;
}) {
  const { row, x, y, spot } = props;
  const at = { x: x(row.tokens.mean), y: y(row.value.mean) };
  const show = () => props.onShow(row.subject);
  const hide = () => props.onShow(null);
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a picture whose figures show on focus
    <g
      className="bench-point"
      role="img"
      aria-label={wordsOf(row)}
      tabIndex={0}
      data-testid="bench-point"
      data-subject={row.subject}
      data-dim={props.isDim || undefined}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
    >
      <path
        className="bench-whisker"
        d={`M${x(row.tokens.low)} ${at.y}H${x(row.tokens.high)}M${at.x} ${y(row.value.low)}V${y(row.value.high)}`}
      />
      <circle cx={at.x} cy={at.y} r={11} fill="transparent" />
      <Mark subject={row.subject} x={at.x} y={at.y} hollow={props.isPart} />
      {isFar(spot, at) && (
        <path className="bench-leader" d={`M${at.x} ${at.y}L${spot.x} ${spot.y}`} />
      )}
      <text x={spot.x} y={spot.y} textAnchor={spot.anchor} dominantBaseline="central">
        {subjectLabel(row.subject)}
      </text>
    </g>
  );
}

function Readout({ row, rows }: { row: SummaryRow | undefined; rows: SummaryRow[] }) {
  return (
    <p className="small muted bench-readout">
      {row
        ? wordsOf(row)
        : "Up and left is better. Dashed: the Pareto front; no other tool beats these on both score and tokens."}
      {rows.some((one) => isPartial(one, rows)) && " Hollow: answers only some of the tasks."}
    </p>
  );
}

function wordsOf(row: SummaryRow): string {
  const value = `${score(row.value.mean)} ${interval(row.value)}`;
  const tokens = `${count(row.tokens.mean)} ${countInterval(row.tokens)}`;
  return `${subjectLabel(row.subject)}: ${value} at ${tokens} tokens, ${count(row.n)} tasks`;
}
