// Grid lines, ticks and names of two axes.

import { crisp, type Scale } from "./scale";

interface Axis {
  scale: Scale;
  ticks: number[];
  text: (value: number) => string;
  label: string;
}

export function Axes({ x, y }: { x: Axis; y: Axis }) {
  const [left, right] = [crisp(x.scale(x.scale.low)), crisp(x.scale(x.scale.high))];
  const [bottom, top] = [crisp(y.scale(y.scale.low)), crisp(y.scale(y.scale.high))];
  return (
    <g className="bench-axes">
      {x.ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${crisp(x.scale(tick))} ${top}V${bottom}`} />
          <text x={x.scale(tick)} y={bottom + 15} textAnchor="middle">
            {x.text(tick)}
          </text>
        </g>
      ))}
      {y.ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${left} ${crisp(y.scale(tick))}H${right}`} />
          <text x={left - 8} y={y.scale(tick)} textAnchor="end" dominantBaseline="central">
            {y.text(tick)}
          </text>
        </g>
      ))}
      <path className="bench-axis" d={`M${left} ${top}V${bottom}H${right}`} />
      <text x={(left + right) / 2} y={bottom + 33} textAnchor="middle">
        {x.label}
      </text>
      <text
        transform={`translate(${left - 36} ${(top + bottom) / 2}) rotate(-90)`}
        textAnchor="middle"
        dominantBaseline="central"
      >
        {y.label}
      </text>
    </g>
  );
}
