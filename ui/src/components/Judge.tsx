// "Right" and "wrong" on a hit: what is said becomes a task of one's own suite.

import "./judge.css";
import { ToggleButton } from "react-aria-components";
import type { HitVerdict, JudgedPlace } from "../ipc";
import { Hint } from "./controls";
import { Icon, type IconName } from "./Icon";
import { type Asked, useJudgement, VERDICT_WORDS } from "./judged";
import { FailureLine } from "./states";
import { useKeys } from "./useKeys";

const CHOICES: readonly { verdict: HitVerdict; icon: IconName; key: string; hint: string }[] = [
  { verdict: "right", icon: "check", key: "y", hint: "It answers the query" },
  { verdict: "wrong", icon: "close", key: "n", hint: "It does not answer the query" },
];

export function Judge({ asked, place }: { asked: Asked; place: JudgedPlace }) {
  const { verdict, judge, error, isBusy } = useJudgement(asked, place);
  useKeys({ y: () => judge("right"), n: () => judge("wrong") }, !isBusy && !error);
  return (
    <fieldset className="judge" data-testid="judge">
      <legend className="visually-hidden">Your judgement</legend>
      {CHOICES.map((one) => (
        <Hint key={one.verdict} text={`${one.hint} (${one.key})`}>
          <ToggleButton
            className="button judge-choice"
            data-testid={`judge-${one.verdict}`}
            data-verdict={one.verdict}
            isDisabled={isBusy || !!error}
            isSelected={verdict === one.verdict}
            onChange={() => judge(one.verdict)}
          >
            <Icon name={one.icon} />
            <span>{VERDICT_WORDS[one.verdict]}</span>
          </ToggleButton>
        </Hint>
      ))}
      <FailureLine error={error} />
    </fieldset>
  );
}
