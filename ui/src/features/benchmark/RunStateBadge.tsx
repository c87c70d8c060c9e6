// How a run stands; one whose process is gone says so.

import { Icon, type IconName } from "../../components/Icon";
import type { RunInfo } from "../../ipc";

type Badge = { word: string; icon: IconName; tone: string };

const BADGES: Record<RunInfo["state"], Badge> = {
  running: { word: "Running", icon: "play", tone: "accent" },
  complete: { word: "Complete", icon: "check", tone: "green" },
  cancelled: { word: "Cancelled", icon: "stop", tone: "amber" },
  failed: { word: "Failed", icon: "fail", tone: "red" },
};
const INTERRUPTED: Badge = { word: "Interrupted", icon: "warn", tone: "amber" };

export function RunStateBadge({ run, isLive }: { run: RunInfo; isLive: boolean }) {
  const badge = run.state === "running" && !isLive ? INTERRUPTED : BADGES[run.state];
  return (
    <span className="pill" data-tone={badge.tone}>
      <Icon name={badge.icon} />
      {badge.word}
    </span>
  );
}
