// Late interaction: when it runs, and what counts as a first stage that is sure of itself.

import { useEffect, useState } from "react";
import { Button, Segmented } from "../../components/controls";
import { ms } from "../../components/format";
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
  ["max_entropy", "Entropy of the ten best, at most", 1, 0.05],
  ["min_margin", "First ahead of the second, σ at least", 100, 0.5],
  ["min_peak", "First above the background, σ at least", 100, 0.5],
  ["min_agreement", "Words and meaning rank alike, at least", 1, 0.05],
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
            Defaults
          </Button>
          <Button isDisabled={!changed} onPress={() => setGate(saved.data.gate)}>
            Undo
          </Button>
          <Button
            kind="primary"
            isDisabled={!changed || save.isPending}
            data-testid="gate-save"
            onPress={() => save.mutate({ ...saved.data, gate })}
          >
            Save gate
          </Button>
        </div>
      }
    >
      <FailureLine error={save.error} />
      <div className="gate-settings">
        <div className="gate-when">
          <span>Compare words of the query with words of the candidates</span>
          <Segmented
            label="When late interaction runs"
            value={gate.mode}
            options={MODES}
            onChange={(mode) => setGate({ ...gate, mode })}
          />
        </div>
        {gate.mode === "gated" && (
          <fieldset className="gate-bounds">
            <legend className="muted">Left out when all of these hold</legend>
            {BOUNDS.map(([key, label, most, step]) => (
              <label key={key}>
                <span>{label}</span>
                <input
                  type="number"
                  className="input"
                  min={0}
                  max={most}
                  step={step}
                  value={gate.thresholds[key]}
                  onChange={(event) =>
                    set(key, Math.min(most, Math.max(0, Number(event.target.value) || 0)))
                  }
                />
              </label>
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
  return (
    <p className="small muted">
      Of the last {data.n_answers} answers it ran for {count("warp_runs")}; the gate left out{" "}
      {count("warp_skipped_gate")}.
      {timer && ` Half took at most ${ms(timer.p50_ms)}, 19 of 20 ${ms(timer.p95_ms)}.`}
    </p>
  );
}
