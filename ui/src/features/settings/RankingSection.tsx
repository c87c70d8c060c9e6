// Channel weights, tried on the last query while they move, saved when they please.

import { useEffect, useMemo } from "react";
import { session } from "../../app/session";
import { createStore } from "../../app/store";
import { Button } from "../../components/controls";
import { weight } from "../../components/format";
import { NumberField } from "../../components/NumberField";
import { FailureLine, Loading } from "../../components/states";
import {
  type Settings,
  useDefaultSettings,
  useSetSettings,
  useSettings,
  type WeightSetting,
} from "../../ipc";
import { Rerank } from "./Rerank";
import { Section } from "./Section";
import { WeightSlider } from "./WeightSlider";

/** What was moved and not saved; a look at another screen does not lose it. */
export const rankingDraft = createStore<{ weights?: WeightSetting[]; k?: number }>({});

const revert = () => rankingDraft.set({ weights: undefined, k: undefined });

export function RankingSection() {
  const saved = useSettings();
  const defaults = useDefaultSettings();
  const save = useSetSettings();
  const draft = rankingDraft.use();
  const weights = draft.weights ?? saved.data?.weights;
  const k = draft.k ?? saved.data?.rrf_k;
  const setWeights = (weights: WeightSetting[]) => rankingDraft.set({ weights });
  const setK = (k: number) => rankingDraft.set({ k });
  const { last } = session.use();

  const changed = useMemo(
    () => saved.data && weights && (k !== saved.data.rrf_k || differ(weights, saved.data.weights)),
    [saved.data, weights, k],
  );
  useEffect(() => {
    if (save.isSuccess && changed === false) revert();
  }, [save.isSuccess, changed]);
  if (saved.isError || defaults.isError) {
    return (
      <Section title="Ranking">
        <FailureLine error={saved.error ?? defaults.error} />
      </Section>
    );
  }
  if (!saved.data || !weights || k === undefined) {
    return (
      <Section title="Ranking">
        <Loading label="Reading settings" />
      </Section>
    );
  }
  const settings: Settings = { ...saved.data, weights, rrf_k: k };
  const restore = () => {
    if (!defaults.data) return;
    setWeights(defaults.data.weights);
    setK(defaults.data.rrf_k);
  };
  return (
    <Section
      title="Ranking"
      aside={
        <div className="settings-actions">
          <Button kind="quiet" data-testid="settings-defaults" onPress={restore}>
            Reset to defaults
          </Button>
          <Button isDisabled={!changed} data-testid="settings-discard" onPress={revert}>
            Discard changes
          </Button>
          <Button
            kind="primary"
            isDisabled={!changed}
            isPending={save.isPending}
            data-testid="settings-save"
            onPress={() => save.mutate(settings)}
          >
            Save ranking
          </Button>
        </div>
      }
    >
      <FailureLine error={save.error} />
      <div className="ranking-columns">
        <div>
          {weights.map((entry) => (
            <WeightSlider
              key={entry.channel}
              entry={entry}
              standard={weightOf(defaults.data?.weights, entry)}
              onChange={(value) =>
                setWeights(
                  weights.map((one) =>
                    one.channel === entry.channel ? { ...one, weight: value } : one,
                  ),
                )
              }
            />
          ))}
          <div className="weight rrf">
            <p>
              Rank fusion <b>k</b>
              <span className="small muted">a larger k flattens the lead of first ranks</span>
            </p>
            <NumberField
              hideLabel
              label="Rank fusion k"
              value={k}
              min={1}
              max={1000}
              onChange={setK}
            />
            {defaults.data && defaults.data.rrf_k !== k && (
              <span className="small muted">default {weight(defaults.data.rrf_k)}</span>
            )}
          </div>
        </div>
        <Rerank
          last={last}
          saved={saved.data.weights}
          weights={weights}
          kChanged={k !== saved.data.rrf_k}
        />
      </div>
    </Section>
  );
}

function differ(a: WeightSetting[], b: WeightSetting[]): boolean {
  return a.some((entry) => weightOf(b, entry) !== entry.weight);
}

function weightOf(weights: WeightSetting[] | undefined, entry: WeightSetting): number | undefined {
  return weights?.find((one) => one.channel === entry.channel)?.weight;
}
