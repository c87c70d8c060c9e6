// What a model brings beside static vectors, and how long its vectors take.

import type { RepoSummary } from "../ipc";
import { plural } from "./format";

/** `Better results, slower to index: about 3 minutes for shop.` */
export function betterLines(repos: readonly RepoSummary[]): string {
  const left = repos.filter((one) => (one.vectors_left_s ?? 0) > 0);
  const [first] = left;
  if (!first) return "Better results, slower to index: minutes for each repository.";
  const total = left.reduce((sum, one) => sum + (one.vectors_left_s ?? 0), 0);
  const whose = left.length === 1 ? first.name : `${left.length} repositories`;
  return `Better results, slower to index: ${inMinutes(total)} for ${whose}.`;
}

function inMinutes(total: number): string {
  const minutes = Math.round(total / 60);
  if (minutes < 1) return "under a minute";
  return `about ${minutes < 120 ? plural(minutes, "minute") : plural(minutes / 60, "hour")}`;
}
