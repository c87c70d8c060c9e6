// A figure of the gate against its threshold, which can be dragged.

import { sig3 } from "../../components/format";
import { Icon } from "../../components/Icon";
import type { GateCheck } from "../../ipc";
import type { Figure } from "./gate-figures";

export function GateFigure(props: {
  figure: Figure;
  check: GateCheck | undefined;
  threshold: number;
  onChange: (value: number) => void;
}) {
  const { figure, check, threshold } = props;
  const id = `gate-${figure.check}`;
  const share = (value: number) => `${Math.min(1, Math.max(0, value / figure.most)) * 100}%`;
  const atMost = figure.key === "max_entropy";
  const sureFrom = atMost ? "0%" : share(threshold);
  const sureTo = atMost ? share(threshold) : "100%";
  return (
    <>
      <label htmlFor={id}>
        {figure.label}
        <span className="small muted">{figure.about}</span>
      </label>
      <div className="gate-track" data-sure={check?.sure}>
        <i
          className="gate-sure"
          style={{ left: sureFrom, width: `calc(${sureTo} - ${sureFrom})` }}
        />
        {check && <i className="gate-value" style={{ width: share(check.value) }} />}
        <input
          id={id}
          type="range"
          min={0}
          max={figure.most}
          step={figure.step}
          value={threshold}
          aria-valuetext={`sure ${atMost ? "at most" : "at least"} ${threshold}`}
          onChange={(event) => props.onChange(Number(event.target.value))}
        />
      </div>
      <span className="num">
        {check ? (
          <>
            <b>
              {sig3(check.value)}
              {figure.unit}
            </b>{" "}
            <span className="muted">
              {check.sure ? (atMost ? "≤" : "≥") : atMost ? ">" : "<"} {sig3(threshold)}
            </span>
          </>
        ) : (
          <span className="muted">unknown</span>
        )}
      </span>
      <span className="small gate-state" data-sure={check?.sure}>
        {check && (
          <>
            <Icon name={check.sure ? "check" : "info"} />
            {check.sure ? "sure" : "not sure"}
          </>
        )}
      </span>
    </>
  );
}
