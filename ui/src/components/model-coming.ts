// The chosen model while it is on its way: from where one is, not only in the settings.

import { type ModelSummary, useModelProgress, useModels } from "../ipc";
import { bytes, percent } from "./format";

/** Stages of a fetch or an import that is under way. */
export const COMING: ReadonlySet<string> = new Set(["waiting", "fetch", "copy", "verify"]);

const WORDS: Record<string, string> = {
  waiting: "waiting for another process that fetches it",
  copy: "being copied",
  verify: "being checked",
};

export interface ComingModel {
  model: ModelSummary;
  /** `43%`, or what is done with it. */
  word: string;
  /** With its name and size. */
  sentence: string;
}

export function useComingModel(): ComingModel | null {
  const { data } = useModels();
  const progress = useModelProgress();
  const model = data?.find((one) => one.chosen);
  const now = model && progress[model.name];
  if (!model || !now || model.state === "present" || !COMING.has(now.stage)) return null;
  const total = now.total_bytes || model.size_bytes;
  const size = total > 0 ? ` of ${bytes(total)}` : "";
  const share = total > 0 ? percent(now.done_bytes / total) : bytes(now.done_bytes);
  const word = WORDS[now.stage] ?? share;
  return { model, word, sentence: `${model.name}: ${word}${now.stage === "fetch" ? size : ""}` };
}
