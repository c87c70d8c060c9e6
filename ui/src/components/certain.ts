// How sure a use is, as the window says it.

import type { UseConfidence } from "../ipc";

const CERTAIN: readonly UseConfidence[] = ["precise", "resolved", "observed"];

/** Scope, imports, types, a compiler or a run settle the use; else it is a guess. */
export function isCertain(confidence: UseConfidence): boolean {
  return CERTAIN.includes(confidence);
}

/** Why a use is a guess; empty where it is none. */
export function doubtOf(confidence: UseConfidence): string {
  switch (confidence) {
    case "possible":
      return "through what it overrides or implements";
    case "ambiguous":
      return "may mean another definition of the name";
    case "name-only":
      return "only the name leads there";
    default:
      return "";
  }
}
