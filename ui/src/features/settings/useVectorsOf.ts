// Vectors that begin once their model is here.

import { type ModelSummary, useRepos, useStartIndex } from "../../ipc";

/** Who asked for the model that is chosen gets its vectors, without asking for them once more. */
export function useVectorsOf({ chosen }: ModelSummary) {
  const repos = (useRepos().data ?? []).filter((one) => one.chunks > 0 && one.state !== "missing");
  const index = useStartIndex();
  const begin = () => {
    if (chosen) for (const { id } of repos) index.mutate({ repo: id });
  };
  return { repos, begin };
}
