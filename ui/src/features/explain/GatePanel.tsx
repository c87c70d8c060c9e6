// The gate: its figures against their thresholds, what it decided, and what it would have decided.

import { type ReactNode, useState } from "react";
import { Button, Segmented } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { Empty, FailureLine } from "../../components/states";
import {
  type GateRecord,
  type GateSettings,
  type GateThresholds,
  type Trace,
  useGateWhatIf,
  useSetSettings,
  useSettings,
} from "../../ipc";
import { OtherInputs, Refined } from "./GateEffect";
import { GateFigure } from "./GateFigure";
import { FIGURES } from "./gate-figures";

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
        {save.isSuccess ? "Saved for all searches" : "Save for all searches"}
      </Button>
      <Button onPress={onBack}>Reset</Button>
      <FailureLine error={save.error} />
    </div>
  );
}
