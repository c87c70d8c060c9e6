// A repository's state: icon, word and colour.

import { Icon, type IconName } from "../../components/Icon";
import { behindInWords, unfinished } from "../../components/repo-state";
import type { RepoState, RepoSummary } from "../../ipc";

const STATES: Record<RepoState, { word: string; icon: IconName; tone: string }> = {
  "not-indexed": { word: "Not indexed", icon: "info", tone: "plain" },
  indexing: { word: "Indexing", icon: "refresh", tone: "accent" },
  paused: { word: "Paused", icon: "pause", tone: "amber" },
  ready: { word: "Ready", icon: "check", tone: "green" },
  stale: { word: "Behind", icon: "warn", tone: "amber" },
  failed: { word: "Failed", icon: "fail", tone: "red" },
  partial: { word: "Few files", icon: "warn", tone: "amber" },
  missing: { word: "Folder missing", icon: "fail", tone: "red" },
};

export function RepoStatePill({ repo }: { repo: RepoSummary }) {
  const left = unfinished(repo);
  const { word, icon, tone } = left
    ? { word: left, icon: "pause" as const, tone: "amber" }
    : STATES[repo.state];
  const told = repo.state === "stale" && !left ? behindInWords(repo) : word;
  return (
    <span className="pill" data-tone={tone} data-testid="repo-state">
      <Icon name={icon} />
      {told}
    </span>
  );
}
