// Late interaction: when it runs, and what counts as a first stage that is sure of itself.

import { useEffect, useState } from "react";
import { Button, Segmented } from "../../components/controls";
import { ms } from "../../components/format";
import { NumberField } from "../../components/NumberField";
import { FailureLine, Loading } from "../../components/states";
import {
  type GateSettings,
  type GateThresholds,
  useDefaultSettings,
  useSetSettings,
  useSettings,
  useStageStats,
} from "../../ipc";
import { Section } from "./Section";

const MODES = [
  { value: "never", label: "Never" },
  { value: "gated", label: "When unsure" },
  { value: "always", label: "Always" },
] as const;

const BOUNDS: [key: keyof GateThresholds, label: string, most: number, step: number][] = [
  ["max_entropy", "Top-10 entropy ≤", 1, 0.05],
  ["min_margin", "Top-1 margin ≥ (σ)", 100, 0.5],
  ["min_peak", "Top-1 peak ≥ (σ)", 100, 0.5],
  ["min_agreement", "Text–vector agreement ≥", 1, 0.05],
];

export function GateSection() {
  const saved = useSettings();
  const defaults = useDefaultSettings();
  const save = useSetSettings();
  const [gate, setGate] = useState<GateSettings>();
  useEffect(() => setGate(saved.data?.gate), [saved.data]);
  if (!saved.data || !gate) {
    return (
      <Section title="Late interaction">
        {saved.isError ? <FailureLine error={saved.error} /> : <Loading label="Reading settings" />}
      </Section>
    );
  }
  const changed = JSON.stringify(gate) !== JSON.stringify(saved.data.gate);
  const set = (key: keyof GateThresholds, value: number) =>
    setGate({ ...gate, thresholds: { ...gate.thresholds, [key]: value } });
  return (
    <Section
      title="Late interaction"
      aside={
        <div className="settings-actions">
          <Button kind="quiet" onPress={() => setGate(defaults.data?.gate ?? gate)}>
            Reset to defaults
          </Button>
          <Button isDisabled={!changed} onPress={() => setGate(saved.data.gate)}>
            Discard changes
          </Button>
          <Button
            kind="primary"
            isDisabled={!changed || save.isPending}
            data-testid="gate-save"
            onPress={() => save.mutate({ ...saved.data, gate })}
          >
            Save late interaction
          </Button>
        </div>
      }
    >
      <FailureLine error={save.error} />
      <div className="gate-settings">
        <div className="gate-when">
          <span>Match query tokens against each candidate's tokens</span>
          <Segmented
            label="When late interaction runs"
            value={gate.mode}
            options={MODES}
            onChange={(mode) => setGate({ ...gate, mode })}
          />
        </div>
        {gate.mode === "gated" && (
          <fieldset className="gate-bounds">
            <legend className="muted">Skipped when all of these hold (the gate)</legend>
            {BOUNDS.map(([key, label, most, step]) => (
              <NumberField
                key={key}
                label={label}
                value={gate.thresholds[key]}
                min={0}
                max={most}
                step={step}
                onChange={(value) => set(key, value)}
              />
            ))}
          </fieldset>
        )}
        <Usual />
      </div>
    </Section>
  );
}

/** How often it ran lately, and what it took. */
function Usual() {
  const { data } = useStageStats();
  if (!data || data.n_answers === 0) return null;
  const count = (name: string) => data.counters.find((one) => one.name === name)?.n ?? 0;
  const timer = data.timers.find((one) => one.name === "warp_search_ms");
  const refine = data.movements.find((one) => one.stage === "refine");
  return (
    <p className="small muted">
      Ran for {count("warp_runs")} of the last {data.n_answers} answers; the gate skipped it for{" "}
      {count("warp_skipped_gate")}.
      {timer && ` Median ${ms(timer.p50_ms)}, p95 ${ms(timer.p95_ms)}.`}
      {refine &&
        ` It moved ${refine.n_moved} of ${refine.n_hits} first hits, ${refine.n_entered} of them from beyond the tenth.`}
    </p>
  );
}
