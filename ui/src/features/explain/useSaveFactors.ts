// Makes tried factors the settings: a channel's weight and the coefficients of its evidence together.

import { type Settings, useDefaultSettings, useSetSettings, useSettings } from "../../ipc";
import { coefficientsOf, type Group } from "./groups";
import type { Factors } from "./refuse";

/** As settings bound it. */
const MOST_WEIGHT = 5;

export function useSaveFactors() {
  const saved = useSettings();
  const defaults = useDefaultSettings();
  const set = useSetSettings();
  const standard = defaults.data?.evidence;
  return {
    isReady: Boolean(saved.data && standard),
    isPending: set.isPending,
    isSaved: set.isSuccess,
    error: saved.error ?? defaults.error ?? set.error,
    save: (factors: Factors) =>
      saved.data && standard && set.mutate(withFactors(saved.data, standard, factors)),
  };
}

/** Settings in which each group's weight and coefficients are multiplied by its factor. */
export function withFactors(
  settings: Settings,
  standard: Settings["evidence"],
  factors: Factors,
): Settings {
  const evidence = { ...settings.evidence };
  for (const [group, factor] of Object.entries(factors)) {
    for (const name of coefficientsOf(group as Group)) {
      const value = evidence[name] ?? standard[name];
      if (value !== null && value !== undefined) evidence[name] = rounded(value * factor);
    }
  }
  const weights = settings.weights.map((one) => ({
    ...one,
    weight: Math.min(MOST_WEIGHT, rounded(one.weight * (factors[one.channel] ?? 1))),
  }));
  return { ...settings, weights, evidence };
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;
