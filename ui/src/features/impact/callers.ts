// Who depends on a definition, sorted into what a reader goes through: by step, what stands in for it, tests.

import { isCertain } from "../../components/certain";
import type { ImpactHit, ImpactResponse } from "../../ipc";

export interface Step {
  /** Uses between it and the definition, from 1. */
  depth: number;
  certain: ImpactHit[];
  /** Only a name, or what it overrides, leads there. */
  guesses: ImpactHit[];
}

export interface Dependents {
  steps: Step[];
  /** What overrides, implements or extends it. */
  replacing: ImpactHit[];
  nCertain: number;
  nGuesses: number;
}

/** The dependents outside of tests: those are told by the tests that reach it. */
export function dependentsOf({ callers }: ImpactResponse): Dependents {
  const shipped = callers.filter((hit) => !hit.test);
  const replaces = ({ relation }: ImpactHit) => relation !== "uses" && relation !== "through";
  const using = shipped.filter((hit) => !replaces(hit));
  const depths = [...new Set(using.map((hit) => hit.depth))].sort((a, b) => a - b);
  const steps = depths.map((depth) => {
    const here = using.filter((hit) => hit.depth === depth);
    return {
      depth,
      certain: here.filter((hit) => isCertain(hit.confidence)),
      guesses: here.filter((hit) => !isCertain(hit.confidence)),
    };
  });
  const nCertain = steps.reduce((sum, step) => sum + step.certain.length, 0);
  return {
    steps,
    replacing: shipped.filter(replaces),
    nCertain,
    nGuesses: using.length - nCertain,
  };
}

export function stepName(depth: number): string {
  return depth === 1 ? "Uses it directly" : `${depth} steps away`;
}
