// The mark of a hit that was judged before.

import "./judge.css";
import type { HitVerdict } from "../ipc";
import { Icon } from "./Icon";

const WORDS: Record<HitVerdict, string> = {
  right: "You judged it right for this query",
  wrong: "You judged it wrong for this query",
};

export function JudgedMark({ verdict }: { verdict: HitVerdict }) {
  return (
    <span
      className="judged-mark"
      data-testid="judged-mark"
      data-verdict={verdict}
      title={WORDS[verdict]}
    >
      <Icon name={verdict === "right" ? "check" : "close"} />
      <span className="visually-hidden">{WORDS[verdict]}</span>
    </span>
  );
}
