// The first thing that Explain says: why the chosen row stands where it stands, and what would change it.

import type { ReactNode } from "react";
import { ChannelDot } from "../../components/channels";
import { Icon } from "../../components/Icon";
import type { TraceRow } from "../../ipc";
import { changes, type Factors } from "./refuse";
import type { Counterfactual, Why } from "./why";

export function WhyHead(props: {
  row: TraceRow;
  why: Why;
  judge: ReactNode;
  factors: Factors;
  onFactors: (factors: Factors) => void;
}) {
  const { row, why, factors } = props;
  const tellable = why.counterfactuals.filter((one) => one.group !== null || one.rank !== row.rank);
  return (
    <section className="why" aria-label="Why it ranks here">
      <p className="why-sentence" data-testid="why">
        {changes(factors) && <span className="muted">As searched: </span>}
        <b className="code">{row.symbol ?? row.path.split("/").pop()}</b> {why.lead}{" "}
        <strong>{why.turn}</strong>
      </p>
      {props.judge}
      <ul className="why-turns" aria-label="Its rank without one signal">
        <li className="small muted">Without</li>
        {tellable.sort(byEffect(row.rank)).map((one) => (
          <li key={one.what}>
            <Turn
              one={one}
              rank={row.rank}
              isTried={one.group !== null && factors[one.group] === 0}
              onTry={(off) =>
                one.group && props.onFactors({ ...factors, [one.group]: off ? 0 : 1 })
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What moves it most comes first. */
const byEffect = (rank: number) => (a: Counterfactual, b: Counterfactual) =>
  Math.abs(b.rank - rank) - Math.abs(a.rank - rank);

function Turn(props: {
  one: Counterfactual;
  rank: number;
  isTried: boolean;
  onTry: (off: boolean) => void;
}) {
  const { one, rank } = props;
  const by = rank - one.rank;
  const label =
    one.group && one.group !== "other" ? (
      <ChannelDot channel={one.group} />
    ) : (
      <span>{one.what}</span>
    );
  const inside = (
    <>
      {label}{" "}
      {one.standIn ? (
        <span className="code ellipsis">{one.standIn}</span>
      ) : (
        <span className="num strong">#{one.rank}</span>
      )}
      {one.standIn ? <Icon name="swap" /> : by !== 0 && <Icon name={by > 0 ? "up" : "down"} />}
    </>
  );
  const words = one.standIn
    ? `Without ${one.what}: ${one.standIn} of the same file in its place`
    : `Without ${one.what}: #${one.rank}`;
  if (one.group === null) {
    return (
      <span className="why-turn" data-by={Math.sign(by)} title={words}>
        {inside}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="why-turn"
      data-by={Math.sign(by)}
      aria-pressed={props.isTried}
      title={`${words}. Press to see the list without it`}
      onClick={() => props.onTry(!props.isTried)}
    >
      {inside}
    </button>
  );
}
