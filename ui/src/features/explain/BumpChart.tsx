// Ranks from stage to stage: who rose, who fell, and where.

import { useState } from "react";
import { Empty } from "../../components/states";
import type { Trace, TraceRow } from "../../ipc";
import { rowKey } from "./arithmetic";
import { deepestOf, inWords, linesOf, MAX_LINES, pathOf, stagesOf } from "./bump";
import { useBox } from "./useBox";

const SIDE = 34;
const HEAD = 36;
const FOOT = 34;

export function BumpChart(props: {
  trace: Trace;
  chosen: string | undefined;
  onChoose: (key: string) => void;
}) {
  const { trace, chosen, onChoose } = props;
  const [hovered, setHovered] = useState<string>();
  const [host, box] = useBox({ width: 700, height: 420 });
  const rows = trace.rows.filter((row) => row.shown).slice(0, MAX_LINES);
  const stages = stagesOf(trace);
  if (rows.length === 0) return <Empty>No hit was shown.</Empty>;
  const deepest = deepestOf(rows, stages);
  const width = Math.max(200, box.width - 2 * SIDE);
  const height = Math.max(160, box.height - HEAD - FOOT);
  const lines = linesOf(rows, stages, width, height);
  const pointed = hovered ?? chosen;
  const name = (row: TraceRow) => row.symbol ?? row.path.split("/").pop() ?? row.path;
  return (
    <div className="bump">
      <div className="bump-drawing" ref={host}>
        <svg
          width={width + 2 * SIDE}
          height={HEAD + height + FOOT}
          viewBox={`${-SIDE} ${-HEAD} ${width + 2 * SIDE} ${HEAD + height + FOOT}`}
          role="img"
          aria-label={`Ranks of ${rows.length} hits after ${stages.map((s) => s.name).join(", ")}; the list beside says the same`}
          data-testid="bump-chart"
        >
          {stages.map((stage, index) => {
            const x = (index / Math.max(1, stages.length - 1)) * width;
            return (
              <g key={stage.name}>
                <title>{stage.about}</title>
                <line className="bump-axis" x1={x} x2={x} y1={-8} y2={height + 8} />
                <text className="bump-head" x={x} y={-20} textAnchor={anchor(index, stages.length)}>
                  {stage.name}
                </text>
              </g>
            );
          })}
          <text className="bump-head" x={0} y={height + 28}>
            {deepest < Math.max(...lines.flatMap((line) => line.points.map((p) => p?.rank ?? 0)))
              ? `lowest line: rank ${deepest + 1} and behind`
              : ""}
          </text>
          {lines.map(({ row, points }) => {
            const key = rowKey(row);
            const state = pointed === undefined ? undefined : pointed === key ? "main" : "dim";
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: the list beside it has the keyboard
              <g
                key={key}
                className="bump-line"
                data-state={state}
                onPointerEnter={() => setHovered(key)}
                onPointerLeave={() => setHovered(undefined)}
                onClick={() => onChoose(key)}
              >
                <title>{`${name(row)}: ${inWords(row, stages)}`}</title>
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
          })}
        </svg>
      </div>
      <ol className="bump-list" aria-label="Hits and their ranks">
        {rows.map((row) => {
          const key = rowKey(row);
          return (
            <li key={key}>
              <button
                type="button"
                aria-pressed={key === chosen}
                data-pointed={key === pointed || undefined}
                onPointerEnter={() => setHovered(key)}
                onPointerLeave={() => setHovered(undefined)}
                onFocus={() => setHovered(key)}
                onBlur={() => setHovered(undefined)}
                onClick={() => onChoose(key)}
                onKeyDown={moveBetween}
              >
                <span className="num muted">{row.rank}</span>
                <span className="code ellipsis">{name(row)}</span>
                <span className="small muted ellipsis">{inWords(row, stages)}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function anchor(index: number, n: number): "start" | "middle" | "end" {
  if (index === 0) return "start";
  return index === n - 1 ? "end" : "middle";
}

function moveBetween(event: React.KeyboardEvent<HTMLButtonElement>): void {
  const item = event.currentTarget.parentElement;
  const down = event.key === "ArrowDown" || event.key === "j";
  const up = event.key === "ArrowUp" || event.key === "k";
  const next = down ? item?.nextElementSibling : up ? item?.previousElementSibling : null;
  const button = next?.querySelector("button");
  if (!button) return;
  event.preventDefault();
  button.focus();
}
