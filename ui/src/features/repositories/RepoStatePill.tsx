// A repository's state: icon, word and colour.

import { Icon, type IconName } from "../../components/Icon";
import type { RepoState } from "../../ipc";

const STATES: Record<RepoState, { word: string; icon: IconName; tone: string }> = {
  "not-indexed": { word: "Not indexed", icon: "info", tone: "plain" },
  indexing: { word: "Indexing", icon: "refresh", tone: "accent" },
  paused: { word: "Paused", icon: "pause", tone: "amber" },
  ready: { word: "Ready", icon: "check", tone: "green" },
  stale: { word: "Behind", icon: "warn", tone: "amber" },
  failed: { word: "Failed", icon: "fail", tone: "red" },
  missing: { word: "Folder is gone", icon: "fail", tone: "red" },
};

export function RepoStatePill({ state }: { state: RepoState }) {
  const { word, icon, tone } = STATES[state];
  return (
    <span className="pill" data-tone={tone}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
