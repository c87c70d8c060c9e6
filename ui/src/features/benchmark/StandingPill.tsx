// Clear or not, and which way: an icon and words, not colour alone.

import { Icon, type IconName } from "../../components/Icon";
import type { Standing } from "./verdict";

const LOOKS: Record<Standing | "same", { tone: string; icon: IconName; word: string }> = {
  ahead: { tone: "green", icon: "up", word: "Clearly better" },
  behind: { tone: "red", icon: "down", word: "Clearly worse" },
  level: { tone: "plain", icon: "minus", word: "No clear winner" },
  same: { tone: "plain", icon: "check", word: "Same" },
};

export function StandingPill({ standing }: { standing: Standing | "same" }) {
  const look = LOOKS[standing];
  return (
    <span className="pill" data-tone={look.tone} data-standing={standing}>
      <Icon name={look.icon} />
      {look.word}
    </span>
  );
}
