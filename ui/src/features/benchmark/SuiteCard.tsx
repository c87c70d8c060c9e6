// A suite's outcome: the main subject beside the best of the others, and who wins, in words.

import { count, plural } from "../../components/format";
import { Icon, type IconName } from "../../components/Icon";
import type { SummaryRow } from "../../ipc";
import { interval, metricName, score } from "./figures";
import { SubjectName } from "./SubjectMark";
import type { Outcome, SuiteVerdict } from "./verdict";

const TONES: Record<Outcome, { tone: string; word: string; icon: IconName }> = {
  ahead: { tone: "green", word: "Ahead", icon: "up" },
  behind: { tone: "red", word: "Behind", icon: "down" },
  level: { tone: "plain", word: "No clear winner", icon: "minus" },
};

export function SuiteCard(props: {
  verdict: SuiteVerdict;
  withoutP5: SummaryRow | undefined;
  isOpen: boolean;
  onOpen: (() => void) | undefined;
}) {
  const { verdict } = props;
  const tone = verdict.outcome && TONES[verdict.outcome];
  const lead = verdict.main ?? verdict.best;
  return (
    <li
      className="bench-card"
      data-testid="bench-card"
      data-suite={verdict.suite}
      data-standing={verdict.outcome ?? "none"}
      data-open={(props.onOpen && props.isOpen) || undefined}
    >
      <header>
        {props.onOpen ? (
          <button type="button" className="bench-card-open ellipsis" onClick={props.onOpen}>
            {verdict.suite}
          </button>
        ) : (
          <h3 className="ellipsis">{verdict.suite}</h3>
        )}
        {tone && (
          <span className="pill" data-tone={tone.tone}>
            <Icon name={tone.icon} />
            {tone.word}
          </span>
        )}
      </header>
      {lead && (
        <p className="small muted">
          {lead.headline ? metricName(lead.headline) : "mean of each category's metric"} ·{" "}
          {plural(lead.n, "task")}
        </p>
      )}
      <div className="bench-rivals">
        {verdict.main && <Figure row={verdict.main} isMain />}
        {verdict.best && <Figure row={verdict.best} isMain={false} />}
      </div>
      <p className="bench-verdict">{verdict.sentence}</p>
      {props.withoutP5 && (
        <p className="small muted">
          Without dead code (P5): {score(props.withoutP5.value.mean)}{" "}
          {interval(props.withoutP5.value)}
        </p>
      )}
      {verdict.asides.map((aside) => (
        <p key={aside} className="small muted">
          {aside}
        </p>
      ))}
    </li>
  );
}

function Figure({ row, isMain }: { row: SummaryRow; isMain: boolean }) {
  return (
    <div data-main={isMain || undefined}>
      <SubjectName subject={row.subject} />
      <span className="bench-figure">{score(row.value.mean)}</span>
      <span className="small muted">{interval(row.value)}</span>
      <span className="small muted">{count(row.tokens.mean)} tokens</span>
    </div>
  );
}
