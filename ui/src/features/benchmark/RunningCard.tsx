// The run under way: phase, how far, how long still, what went wrong; cancelled from here.

import { Button } from "../../components/controls";
import { count, plural, seconds } from "../../components/format";
import { Icon } from "../../components/Icon";
import { FailureLine } from "../../components/states";
import { type RunInfo, type RunProgress, useBenchCancel } from "../../ipc";
import { runTitle, spoken } from "./subjects";

/** Screen readers hear of every tenth. */
const SPOKEN_STEP = 10;

export function RunningCard(props: { progress: RunProgress; run: RunInfo | undefined }) {
  const { progress } = props;
  const cancel = useBenchCancel();
  const share = progress.wanted > 0 ? (progress.done / progress.wanted) * 100 : null;
  const phase = spoken(progress.phase);
  const tenth = Math.floor((share ?? 0) / SPOKEN_STEP) * SPOKEN_STEP;
  return (
    <section className="bench-running" data-testid="bench-progress" aria-label="Run in progress">
      <div className="bench-running-head">
        <b className="ellipsis">{props.run ? runTitle(props.run) : "Run in progress"}</b>
        <Button
          icon="stop"
          data-testid="bench-cancel"
          isDisabled={cancel.isPending}
          onPress={() => cancel.mutate()}
        >
          Cancel
        </Button>
      </div>
      <div
        className="bar"
        role="progressbar"
        aria-label={phase}
        aria-valuenow={share === null ? undefined : Math.round(share)}
        data-unknown={share === null || undefined}
      >
        <i style={{ width: share === null ? "30%" : `${share}%` }} />
      </div>
      <p className="small">
        {phase} · <span data-testid="bench-done">{count(progress.done)}</span>
        {progress.wanted > 0 && ` of ${count(progress.wanted)}`}
        {progress.eta_s !== null && ` · ${seconds(progress.eta_s)} left`}
      </p>
      {progress.errors > 0 && (
        <p className="small bench-warn">
          <Icon name="warn" />
          {plural(progress.errors, "error")}
        </p>
      )}
      <Notes notes={progress.notes} />
      <FailureLine error={cancel.error} />
      <p className="visually-hidden" role="status">
        {phase}, {tenth} percent
      </p>
    </section>
  );
}

function Notes({ notes }: { notes: string[] }) {
  const [newest, ...older] = notes.map(spoken).reverse();
  if (!newest) return null;
  if (notes.length === 1) return <p className="small muted wrap">{newest}</p>;
  return (
    <details className="small muted">
      <summary className="ellipsis">{newest}</summary>
      <ul>
        {older.map((note) => (
          <li key={note} className="wrap">
            {note}
          </li>
        ))}
      </ul>
    </details>
  );
}
