// Clear or not, and which way: an icon and words, not colour alone.

import { Icon, type IconName } from "../../components/Icon";
import type { Outcome } from "./verdict";

const LOOKS: Record<Outcome | "same", { tone: string; icon: IconName; word: string }> = {
  ahead: { tone: "green", icon: "up", word: "Clearly better" },
  behind: { tone: "red", icon: "down", word: "Clearly worse" },
  level: { tone: "plain", icon: "minus", word: "No clear winner" },
  same: { tone: "plain", icon: "check", word: "Same" },
};

export function OutcomePill(props: { outcome: Outcome | "same"; level?: string | undefined }) {
  const { outcome } = props;
  const look = LOOKS[outcome];
  return (
    <span className="pill" data-tone={look.tone} data-standing={outcome}>
      <Icon name={look.icon} />
      {(outcome === "level" && props.level) || look.word}
    </span>
  );
}
