// The matrix: a row for each word of the query, a column for each place that answers one.

import type { CSSProperties, KeyboardEvent } from "react";
import { sig3 } from "../../components/format";
import { answeredBy, bestColumn, type Matrix, type Row, stepOf } from "./words";

interface Props {
  matrix: Matrix;
  pointed: number | undefined;
  pinned: number | undefined;
  /** As a plain table: word, place, figure. */
  asList: boolean;
  onPoint: (row: number | undefined) => void;
  onPin: (row: number) => void;
}

export function WordMatrix(props: Props) {
  const { matrix, asList } = props;
  const most = Math.max(1e-6, ...matrix.rows.map((row) => row.adds));
  return (
    <div className="words-scroll" style={sized(matrix)}>
      <table className={asList ? "word-list" : "word-matrix"} data-testid="word-matrix">
        <caption className="visually-hidden">
          What each word of the query adds, and the word of the code that answers it best
        </caption>
        <thead>
          <tr>
            <th scope="col">Query</th>
            {asList ? (
              <>
                <th scope="col">Answered by</th>
                <th scope="col" className="num">
                  Line
                </th>
              </>
            ) : (
              matrix.columns.map((column, at) => (
                <th
                  key={`${column.line}:${column.column}:${column.length}`}
                  scope="col"
                  className="word-column"
                  title={`line ${column.line}`}
                  onPointerEnter={() => props.onPoint(answeredBy(matrix, at))}
                  onPointerLeave={() => props.onPoint(undefined)}
                >
                  <span>
                    <bdi>{column.label}</bdi>
                  </span>
                </th>
              ))
            )}
            <th scope="col" className="num word-adds">
              Adds
            </th>
          </tr>
        </thead>
        <tbody>
          {matrix.rows.map((row, index) => (
            <WordRow key={row.token} {...props} row={row} index={index} most={most} />
          ))}
          <tr className="word-rest">
            <th scope="row">other words</th>
            <td colSpan={asList ? 2 : matrix.columns.length} />
            <td className="num">{sig3(matrix.rest)}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

/** How many cells there are: those of a few words may be large. */
const sized = (matrix: Matrix) =>
  ({ "--columns": matrix.columns.length, "--rows": matrix.rows.length }) as CSSProperties;

function WordRow(props: Props & { row: Row; index: number; most: number }) {
  const { row, index, matrix } = props;
  const best = bestColumn(row);
  const place = best === undefined ? undefined : matrix.columns[best];
  const isFirst = props.pinned === undefined ? index === 0 : props.pinned === index;
  return (
    <tr
      className="word-row"
      data-testid="word-row"
      data-pointed={props.pointed === index || undefined}
      aria-selected={props.pinned === index}
      tabIndex={isFirst ? 0 : -1}
      onPointerEnter={() => props.onPoint(index)}
      onPointerLeave={() => props.onPoint(undefined)}
      onFocus={() => props.onPoint(index)}
      onBlur={() => props.onPoint(undefined)}
      onClick={() => props.onPin(index)}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          props.onPin(index);
        } else moveBetweenRows(event);
      }}
    >
      <th scope="row" className="code">
        <bdi>{row.label}</bdi>
        {row.n_pieces > 1 && (
          <small
            className="word-pieces muted"
            title={`The model reads ${row.label} as ${row.n_pieces} pieces and compares each; the cell shows the best of them, Adds their sum.`}
          >
            {row.n_pieces} pieces
          </small>
        )}
      </th>
      {props.asList ? (
        <>
          <td className="code">{place?.label}</td>
          <td className="num">{place?.line}</td>
        </>
      ) : (
        matrix.columns.map((column, at) => {
          const score = row.cells.get(at);
          return (
            <td
              key={`${column.line}:${column.column}:${column.length}`}
              className="word-cell"
              data-step={score === undefined ? undefined : stepOf(score)}
              data-best={at === best || undefined}
              data-none={score === undefined || undefined}
              title={
                score === undefined
                  ? `${row.label} – ${column.label}: another word answers better`
                  : `${row.label} – ${column.label}, line ${column.line}: ${sig3(score)}`
              }
            >
              {score === undefined ? "" : score.toFixed(2).replace(/^0/, "")}
            </td>
          );
        })
      )}
      <td className="num word-adds">
        <i style={{ width: barWidth(row.adds / props.most) }} aria-hidden="true" />
        <span>{sig3(row.adds)}</span>
      </td>
    </tr>
  );
}

/** A share of what the cell leaves beside its figure. */
const barWidth = (share: number) =>
  `calc((100% - var(--s2) - 6ch) * ${Math.min(1, Math.max(0, share))})`;

const STEPS = ["0–.2", ".2–.4", ".4–.6", ".6–.8", ".8–1"];

/** What the colors of the cells mean. It stays in sight while they are scrolled. */
export function Legend({ ofAll = false }: { ofAll?: boolean }) {
  return (
    <p className="word-legend small muted">
      <span>cosine</span>
      {STEPS.map((label, index) => (
        <span key={label}>
          <i data-step={index + 1} aria-hidden="true" />
          {label}
        </span>
      ))}
      {!ofAll && (
        <span>
          <i data-none aria-hidden="true" />
          another word answers better
        </span>
      )}
    </p>
  );
}

function moveBetweenRows(event: KeyboardEvent<HTMLTableRowElement>): void {
  const { currentTarget: row, key } = event;
  const down = key === "ArrowDown" || key === "j";
  const up = key === "ArrowUp" || key === "k";
  const next = down ? row.nextElementSibling : up ? row.previousElementSibling : null;
  if (!(next instanceof HTMLElement) || !next.classList.contains("word-row")) return;
  event.preventDefault();
  next.focus();
}
