// A run in the list: when, what, how far, and of which program.

import { navigate } from "../../app/route";
import { IconButton } from "../../components/controls";
import { count } from "../../components/format";
import type { RunInfo } from "../../ipc";
import { moment, shortCommit } from "./figures";
import { RunStateBadge } from "./RunStateBadge";
import { runTitle } from "./subjects";

export function RunRow(props: {
  run: RunInfo;
  isLive: boolean;
  isOpen: boolean;
  isChecked: boolean;
  onCheck: () => void;
  onDelete: () => void;
}) {
  const { run } = props;
  const title = runTitle(run);
  return (
    <li
      className="bench-run-row"
      data-testid="bench-run"
      data-run={run.id}
      data-state={run.state}
      data-open={props.isOpen || undefined}
    >
      <input
        type="checkbox"
        aria-label={`Compare ${title}`}
        title="Compare"
        checked={props.isChecked}
        onChange={props.onCheck}
      />
      <button
        type="button"
        className="bench-run-open"
        aria-current={props.isOpen || undefined}
        onClick={() => navigate({ view: "benchmark", id: run.id })}
      >
        <b className="ellipsis" title={title}>
          {title}
        </b>
        <span className="bench-run-state small muted">
          <RunStateBadge run={run} isLive={props.isLive} />
          {answers(run)}
        </span>
        <span className="small muted ellipsis" title={run.suites.join(", ")}>
          {run.suites.join(", ")}
        </span>
        <span className="small muted ellipsis">
          {moment(run.started)} · v{run.version}
          {run.commit && (
            <>
              {" · "}
              <span className="code">{shortCommit(run.commit)}</span>
            </>
          )}
        </span>
      </button>
      {!props.isLive && (
        <IconButton
          icon="trash"
          label={`Delete ${title}`}
          data-testid="bench-delete"
          onPress={props.onDelete}
        />
      )}
    </li>
  );
}

function answers({ n_done, n_wanted }: RunInfo): string {
  return n_done < n_wanted ? `${count(n_done)} of ${count(n_wanted)}` : `${count(n_done)} answers`;
}
