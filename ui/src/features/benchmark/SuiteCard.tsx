// A suite's outcome: the main subject beside the best of the others, and who wins, in words.

import { count, plural } from "../../components/format";
import { Icon, type IconName } from "../../components/Icon";
import type { SummaryRow } from "../../ipc";
import { interval, metricName, score } from "./figures";
import { SubjectName } from "./SubjectMark";
import type { Outcome, Standing, SuiteVerdict } from "./verdict";

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
  const { nTasks, nAll, headline } = verdict;
  const isPart = nTasks < nAll;
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
      {nAll > 0 && (
        <p className="small muted" data-testid="bench-card-tasks">
          {headline ? metricName(headline) : "mean of each category's metric"} ·{" "}
          {isPart
            ? `the ${count(nTasks)} of ${plural(nAll, "task")} that both answered`
            : plural(nAll, "task")}
        </p>
      )}
      <div className="bench-rivals">
        {verdict.main && <Figure standing={verdict.main} isMain />}
        {verdict.best && <Figure standing={verdict.best} isMain={false} />}
      </div>
      <p className="bench-verdict">{verdict.sentence}</p>
      {props.withoutP5 && (
        <p className="small muted">
          Without dead code: {score(props.withoutP5.value.mean)} {interval(props.withoutP5.value)}
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

function Figure({ standing, isMain }: { standing: Standing; isMain: boolean }) {
  return (
    <div data-main={isMain || undefined}>
      <SubjectName subject={standing.subject} />
      <span className="bench-figure" data-testid="bench-figure">
        {score(standing.mean)}
      </span>
      {standing.interval && <span className="small muted">{interval(standing.interval)}</span>}
      <span className="small muted">{count(standing.tokens)} tokens</span>
    </div>
  );
}
