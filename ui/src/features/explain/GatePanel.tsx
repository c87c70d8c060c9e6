// The gate: its figures against their thresholds, what it decided, and what it would have decided.

import { type ReactNode, useState } from "react";
import { Button, Segmented } from "../../components/controls";
import { count, ms, sig3 } from "../../components/format";
import { Icon } from "../../components/Icon";
import { Empty, FailureLine } from "../../components/states";
import {
  type GateCheck,
  type GateRecord,
  type GateSettings,
  type GateThresholds,
  type RefineRecord,
  type Trace,
  useGateWhatIf,
  useSetSettings,
  useSettings,
} from "../../ipc";

export function GatePanel({ trace }: { trace: Trace }) {
  if (!trace.gate) {
    return <Empty>This trace has no gate record. Search again to see one.</Empty>;
  }
  return (
    <div className="gate-panel">
      <GateCard record={trace.gate} />
      <section className="part">
        <h2>Effect</h2>
        {trace.refine ? (
          <Refined record={trace.refine} />
        ) : (
          <p className="muted">None: the first-stage order was kept.</p>
        )}
        <h2 className="gate-query">Other inputs</h2>
        <OtherInputs record={trace.gate} />
      </section>
    </div>
  );
}

const MODES = [
  { value: "never", label: "Never" },
  { value: "gated", label: "When unsure" },
  { value: "always", label: "Always" },
] as const;

interface Figure {
  check: GateCheck["name"];
  key: keyof GateThresholds;
  label: string;
  about: string;
  most: number;
  step: number;
  unit: string;
}

export const FIGURES: Figure[] = [
  {
    check: "entropy",
    key: "max_entropy",
    label: "Entropy",
    about: "of the top ten; 1 = all alike",
    most: 1,
    step: 0.05,
    unit: "",
  },
  {
    check: "margin",
    key: "min_margin",
    label: "Margin",
    about: "first over second",
    most: 8,
    step: 0.1,
    unit: " σ",
  },
  {
    check: "peak",
    key: "min_peak",
    label: "Peak",
    about: "first over background",
    most: 16,
    step: 0.5,
    unit: " σ",
  },
  {
    check: "agreement",
    key: "min_agreement",
    label: "Agreement",
    about: "text and vector ranks",
    most: 1,
    step: 0.05,
    unit: "",
  },
];

function GateCard({ record }: { record: GateRecord }) {
  const [tried, setTried] = useState<GateSettings>(record.settings);
  const whatIf = useGateWhatIf(record, tried);
  const changed = JSON.stringify(tried) !== JSON.stringify(record.settings);
  const verdict = (changed && whatIf.data) || record.verdict;
  const set = (key: keyof GateThresholds, value: number) =>
    setTried({ ...tried, thresholds: { ...tried.thresholds, [key]: value } });
  return (
    <section className="part gate-card" aria-label="Gate">
      <h2>Is late interaction worth its time?</h2>
      <Verdict runs={record.verdict.runs} testId="gate-verdict">
        {record.verdict.sentence}
      </Verdict>
      <div className="gate-mode">
        <span>Run</span>
        <Segmented
          label="When late interaction runs"
          value={tried.mode}
          options={MODES}
          onChange={(mode) => setTried({ ...tried, mode })}
        />
      </div>
      <FailureLine error={whatIf.error} />
      <div className="gate-trial" aria-live="polite">
        {changed ? (
          <Verdict runs={verdict.runs} testId="gate-what-if" isTrial>
            {verdict.sentence}
          </Verdict>
        ) : (
          <p className="small muted">Drag a threshold to see what the gate would have decided.</p>
        )}
      </div>
      {changed && <Keep tried={tried} onBack={() => setTried(record.settings)} />}
      <ul className="gate-figures">
        {FIGURES.map((figure) => {
          const check = verdict.checks.find((one) => one.name === figure.check);
          return (
            <li key={figure.check}>
              <GateFigure
                figure={figure}
                check={check}
                threshold={tried.thresholds[figure.key]}
                onChange={(value) => set(figure.key, value)}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Verdict(props: { runs: boolean; testId: string; isTrial?: boolean; children: ReactNode }) {
  return (
    <p className="gate-verdict" data-runs={props.runs} data-testid={props.testId}>
      <Icon name={props.runs ? "play" : "minus"} />
      <span>
        {props.isTrial && <b>With these: </b>}
        {props.children}
      </span>
    </p>
  );
}

function GateFigure(props: {
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

/** Makes a trial the setting. */
function Keep({ tried, onBack }: { tried: GateSettings; onBack: () => void }) {
  const settings = useSettings();
  const save = useSetSettings();
  return (
    <div className="row-actions">
      <Button
        kind="primary"
        isDisabled={!settings.data || save.isPending}
        data-testid="gate-keep"
        onPress={() => settings.data && save.mutate({ ...settings.data, gate: tried })}
      >
        {save.isSuccess ? "Saved for new searches" : "Save for new searches"}
      </Button>
      <Button onPress={onBack}>Revert</Button>
      <FailureLine error={save.error} />
    </div>
  );
}

function Refined({ record }: { record: RefineRecord }) {
  return (
    <dl className="run-facts">
      <Fact name="Rescored">
        {count(record.n_done)} of {count(record.n_asked)} candidates
        {record.n_without_tokens > 0 && (
          <span className="muted">, {count(record.n_without_tokens)} without token vectors</span>
        )}
      </Fact>
      <Fact name="Compared">
        {count(record.query_tokens.length)} query tokens with {count(record.n_tokens)} code tokens
      </Fact>
      <Fact name="Time">
        {ms(record.query_ms)} to encode, {ms(record.search_ms)} to compare
      </Fact>
      <Fact name="MaxSim">
        mean {sig3(record.mean)}, σ {sig3(record.deviation)}
      </Fact>
      <Fact name="Adds">
        {sig3(record.per_deviation)} per σ above the minimum, and {sig3(record.file_per_deviation)}{" "}
        per σ of the file's best chunk
      </Fact>
      {record.cut && (
        <Fact name="Cut">
          <span className="gate-cut">{record.cut}</span>
        </Fact>
      )}
    </dl>
  );
}

function OtherInputs({ record }: { record: GateRecord }) {
  const { features } = record;
  return (
    <dl className="run-facts">
      <Fact name="Candidates">{count(features.n_candidates)}</Fact>
      <Fact name="Exact name">
        {features.id_hit ? "one definition, first in two channels" : "None"}
      </Fact>
      <Fact name="Query">
        {count(features.n_words)} {features.n_words === 1 ? "word" : "words"},{" "}
        {features.shape.replaceAll("-", " ")}
      </Fact>
      <Fact name="Time left">
        {ms(features.time_left_ms)}
        <span className="muted">
          {features.expected_ms === null
            ? ", first run"
            : `, expected to take ${ms(features.expected_ms)}`}
        </span>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
