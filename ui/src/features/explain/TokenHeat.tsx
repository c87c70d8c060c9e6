// All tokens against all: as a picture that is walked by pointer and arrow keys, or as a table of figures.

import "./token-heat.css";
import { type KeyboardEvent, memo, type PointerEvent, useState } from "react";
import { cellInWords, figure, type Heat, lineStarts } from "./heat";
import { stepOf } from "./words";

const CELL = 8;
const ROW = 16;

export function TokenHeat({ heat, asList }: { heat: Heat; asList: boolean }) {
  const [[row, column], setAt] = useState<[number, number]>([
    0,
    Math.max(0, heat.rows[0]?.best ?? 0),
  ]);
  if (asList) return <HeatTable heat={heat} />;
  const go = (toRow: number, toColumn: number) =>
    setAt([within(toRow, heat.rows.length), within(toColumn, heat.columns.length)]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, [number, number]> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, heat.columns.length - 1],
      Enter: [row, heat.rows[row]?.best ?? column],
    };
    const to = steps[event.key];
    if (!to) return;
    event.preventDefault();
    go(...to);
  };
  const onPointer = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    go(Math.floor((event.clientY - box.top) / ROW), Math.floor((event.clientX - box.left) / CELL));
  };
  return (
    <div className="heat">
      <div className="heat-scroll">
        <ul
          className="heat-labels code small"
          aria-hidden="true"
          style={{ lineHeight: `${ROW}px` }}
        >
          {heat.rows.map(({ label }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a token stands where it stands in the query
            <li key={index} data-pointed={index === row || undefined}>
              <bdi>{label}</bdi>
            </li>
          ))}
        </ul>
        <svg
          className="heat-drawing"
          role="img"
          aria-label={`${heat.rows.length} tokens of the query against ${heat.columns.length} of the passage. Arrow keys go from cell to cell, Enter to the best of a row; List has the figures.`}
          data-testid="token-heat"
          width={heat.columns.length * CELL}
          height={heat.rows.length * ROW}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: its cells are walked by arrow keys
          tabIndex={0}
          onKeyDown={onKeyDown}
          onPointerMove={onPointer}
        >
          <Cells heat={heat} />
          <rect
            className="heat-at"
            x={column * CELL}
            y={row * ROW}
            width={CELL - 1}
            height={ROW - 1}
          />
        </svg>
      </div>
      <p className="heat-said small" role="status" data-testid="heat-said">
        {cellInWords(heat, row, column)}
        {heat.nMore > 0 && (
          <span className="muted"> · {heat.nMore} more tokens of the passage are not kept</span>
        )}
      </p>
    </div>
  );
}

const within = (at: number, n: number) => Math.max(0, Math.min(n - 1, at));

/** Drawn once: the pointer moves over thousands of cells. */
const Cells = memo(function Cells({ heat }: { heat: Heat }) {
  return (
    <>
      {lineStarts(heat.columns).map(({ at }) => (
        <line
          key={at}
          className="heat-line"
          x1={at * CELL - 0.5}
          x2={at * CELL - 0.5}
          y2={heat.rows.length * ROW}
        />
      ))}
      {heat.rows.map(({ values, best }, row) =>
        values.map((value, column) => {
          const step = stepOf(value);
          return (
            step > 0 && (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is told by its place
                key={`${row}:${column}`}
                className="heat-cell"
                data-step={step}
                data-best={column === best || undefined}
                x={column * CELL}
                y={row * ROW}
                width={CELL - 1}
                height={ROW - 1}
              />
            )
          );
        }),
      )}
    </>
  );
});

/** A row for each token of the passage: screens are wider in lines than in tokens of the query. */
function HeatTable({ heat }: { heat: Heat }) {
  return (
    <div className="words-scroll">
      <table className="heat-table" data-testid="heat-table">
        <caption className="visually-hidden">
          Cosine of each token of the passage with each token of the query
        </caption>
        <thead>
          <tr>
            <th scope="col" className="num">
              Line
            </th>
            <th scope="col">Token</th>
            {heat.rows.map(({ label }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a token stands where it stands in the query
              <th key={index} scope="col" className="code">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {heat.columns.map(({ line, label }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a token stands where it stands in the passage
            <tr key={at}>
              <td className="num">{line || ""}</td>
              <th scope="row" className="code">
                {label}
              </th>
              {heat.rows.map(({ values, best }, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is told by its place
                <td key={row} className="num" data-best={best === at || undefined}>
                  {figure(values[at] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
