// A suite's scores from commit to commit: the line for the eye, the table for the figures.

import { navigate } from "../../app/route";
import { plural } from "../../components/format";
import { interval, metricName, moment, score, shortCommit, signedScore } from "./figures";
import type { CommitPoint, Series } from "./over-commits";
import { linear } from "./scale";
import { subjectLabel } from "./subjects";

const WIDTH = 360;
const HEIGHT = 64;
const EDGE = 8;

export function CommitTable({ series }: { series: Series }) {
  const { suite, subject, points } = series;
  const last = points.at(-1);
  const metric = metricName(last?.row.headline ?? null);
  return (
    <section className="bench-panel" aria-label={suite} data-testid="bench-commit-series">
      <header className="bench-panel-head">
        <h3>
          {suite}{" "}
          <span className="small muted">
            {subjectLabel(subject)} · {metric} · {plural(points.length, "run")}
          </span>
        </h3>
      </header>
      <Line points={points} />
      <table className="bench-table">
        <thead>
          <tr>
            <th scope="col">Commit</th>
            <th scope="col">Measured</th>
            <th scope="col" className="num">
              Tasks
            </th>
            <th scope="col" className="num">
              {metric}
            </th>
            <th scope="col" className="num">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ run, commit, row, change }) => (
            <tr key={run.id} data-testid="bench-commit">
              <th scope="row">
                <button
                  type="button"
                  className="link code"
                  onClick={() => navigate({ view: "benchmark", id: run.id })}
                >
                  {shortCommit(commit) || run.id}
                </button>
              </th>
              <td>{moment(run.started)}</td>
              <td className="num">{row.n}</td>
              <td className="num">
                {score(row.value.mean)} <span className="small muted">{interval(row.value)}</span>
              </td>
              <td
                className="num"
                title={change === null ? "The tasks are not the same" : undefined}
              >
                {change === null ? "–" : signedScore(change)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Line({ points }: { points: readonly CommitPoint[] }) {
  const x = linear([0, points.length - 1], [EDGE, WIDTH - EDGE]);
  const y = linear([0, 1], [HEIGHT - EDGE, EDGE]);
  const places = points.map(({ row }, at) => ({ x: x(at), row, y: y(row.value.mean) }));
  return (
    <svg
      className="bench-axes bench-commit-line"
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`Scores, oldest first: ${points.map(({ row }) => score(row.value.mean)).join(", ")}`}
    >
      {[0, 0.5, 1].map((share) => (
        <path key={share} d={`M${EDGE} ${y(share)}H${WIDTH - EDGE}`} />
      ))}
      {places.map(({ x: across, row }, at) => (
        <path
          key={points[at]?.run.id}
          className="bench-commit-span"
          d={`M${across} ${y(row.value.low)}V${y(row.value.high)}`}
        />
      ))}
      <polyline points={places.map((place) => `${place.x},${place.y}`).join(" ")} />
      {places.map((place, at) => (
        <circle key={points[at]?.run.id} cx={place.x} cy={place.y} r={3} />
      ))}
    </svg>
  );
}
