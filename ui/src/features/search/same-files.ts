// The best of each file comes first; what else these files hold follows, and begins at a higher score.

import type { Hit } from "../../ipc";

/** Where further hits of files that were listed before begin, or -1 where ranks follow scores. */
export function moreFrom(hits: readonly Pick<Hit, "repo" | "path" | "score">[]): number {
  const seen = new Set<string>();
  return hits.findIndex(({ repo, path, score }, at) => {
    const file = `${repo ?? ""}/${path}`;
    const isRepeated = seen.has(file);
    seen.add(file);
    return isRepeated && score > (hits[at - 1]?.score ?? score);
  });
}
