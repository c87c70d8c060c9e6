// Today at a glance, and the way to share it.

import { Button } from "../../../components/controls";
import { count } from "../../../components/format";
import { PathText } from "../../../components/PathText";
import { ShareMenu } from "../../../components/share/ShareMenu";
import { FailureLine } from "../../../components/states";
import type { useSessionCosts } from "../../../ipc";
import { Figure } from "../Figure";
import { HOW_GREP } from "../GrepLine";
import { type Day, grepOfDay } from "./day";
import { dayCard, dayMarkdown } from "./day-card";

/** Files that are named; the rest are counted. */
const N_FILES = 4;

export function DayCard({ day, costs }: { day: Day; costs: ReturnType<typeof useSessionCosts> }) {
  const grep = grepOfDay(day);
  return (
    <section className="day-card" aria-label="Today" data-testid="day-card">
      <div className="day-head">
        <h2>Today</h2>
        <span className="muted small">the last 24 hours</span>
        <span className="spacer" />
        <Button
          icon="search"
          isDisabled={costs.isMeasuring || day.calls === 0}
          data-testid="day-measure"
          onPress={() => void costs.measure()}
        >
          {costs.isMeasuring ? "Asking grep" : grep ? "Compare again" : "Compare with grep"}
        </Button>
        <ShareMenu
          name="whyrank-agents-today"
          draw={() => dayCard(day)}
          markdown={() => dayMarkdown(day)}
          data-testid="day-share"
        />
      </div>
      <dl className="session-figures" data-testid="day-figures">
        <Figure value={count(day.calls)} name={day.calls === 1 ? "call" : "calls"} />
        <Figure value={day.sessions} name={day.sessions === "1" ? "session" : "sessions"} />
        <Figure value={count(day.tokens)} name="tokens in answers" />
        {day.grep && day.grep.calls > 0 && (
          <Figure value={count(day.grep.tokens)} name="tokens by grep, where compared" />
        )}
        <Figure value={count(day.files.length)} name={day.files.length === 1 ? "file" : "files"} />
        {day.failed > 0 && <Figure value={count(day.failed)} name="failed" isBad />}
      </dl>
      {grep && (
        <p className="small" title={HOW_GREP} data-testid="day-grep">
          {grep}
        </p>
      )}
      <FailureLine error={costs.error} />
      {day.files.length > 0 && (
        <p className="session-files small" data-testid="day-files">
          <span className="muted">Shown most</span>
          {day.files.slice(0, N_FILES).map(({ path, calls }) => (
            <span key={path} className="session-file day-file code">
              <PathText path={path} /> <b>{calls}</b>
            </span>
          ))}
          {day.files.length > N_FILES && (
            <span className="muted">+{day.files.length - N_FILES}</span>
          )}
        </p>
      )}
    </section>
  );
}
