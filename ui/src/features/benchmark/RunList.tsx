// The runs, newest first; the one under way on top. Check boxes choose runs to compare.

import { type KeyboardEvent, useState } from "react";
import { navigate } from "../../app/route";
import { Button } from "../../components/controls";
import type { RunInfo, RunProgress } from "../../ipc";
import { DeleteRunDialog } from "./DeleteRunDialog";
import { toggled } from "./draft";
import { JudgedButton } from "./JudgedButton";
import { RunningCard } from "./RunningCard";
import { RunRow } from "./RunRow";
import { runTitle } from "./subjects";

export function RunList(props: {
  runs: RunInfo[];
  chosen: string | undefined;
  live: RunProgress | null;
  onNew: () => void;
}) {
  const { runs, live } = props;
  const [checked, setChecked] = useState<string[]>([]);
  const [deleting, setDeleting] = useState<RunInfo>();
  const running = live?.state === "running" ? live : null;
  return (
    <div className="bench-list">
      <header className="view-head">
        <h1>Measure</h1>
        <Button
          kind="primary"
          icon="plus"
          data-testid="bench-new"
          isDisabled={running !== null}
          onPress={props.onNew}
        >
          New run
        </Button>
      </header>
      <div className="bench-more">
        <JudgedButton />
        {props.runs.length > 1 && (
          <Button icon="clock" data-testid="bench-commits-open" onPress={overCommits}>
            Over commits
          </Button>
        )}
      </div>
      {running && (
        <RunningCard progress={running} run={runs.find((run) => run.id === running.id)} />
      )}
      <ul className="bench-runs" aria-label="Runs" onKeyDown={moveBetweenRuns}>
        {runs.map((run) => (
          <RunRow
            key={run.id}
            run={run}
            isLive={run.id === running?.id}
            isOpen={run.id === props.chosen}
            isChecked={checked.includes(run.id)}
            onCheck={() => setChecked(toggled(checked, run.id))}
            onDelete={() => setDeleting(run)}
          />
        ))}
      </ul>
      {checked.length > 0 && (
        <CompareBar runs={runs} checked={checked} onClear={() => setChecked([])} />
      )}
      {deleting && (
        <DeleteRunDialog
          run={deleting}
          onClose={(gone) => {
            setDeleting(undefined);
            if (gone) setChecked(checked.filter((id) => id !== deleting.id));
          }}
        />
      )}
    </div>
  );
}

const overCommits = () => navigate({ view: "benchmark", params: { commits: "1" } });

function CompareBar(props: { runs: RunInfo[]; checked: string[]; onClear: () => void }) {
  const [base, ...others] = props.checked;
  const compare = () =>
    navigate({ view: "benchmark", id: base, params: { against: others.join(",") } });
  const run = props.runs.find((one) => one.id === base);
  return (
    <div className="bench-compare-bar">
      <p className="small ellipsis">
        {others.length === 0 ? "Choose another run to compare with " : "Base: "}
        <b>{run ? runTitle(run) : base}</b>
      </p>
      <Button
        kind="primary"
        data-testid="bench-compare"
        isDisabled={others.length === 0}
        onPress={compare}
      >
        {others.length > 1 ? `Compare with ${others.length}` : "Compare"}
      </Button>
      <Button kind="quiet" onPress={props.onClear}>
        Clear
      </Button>
    </div>
  );
}

function moveBetweenRuns(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".bench-run-open")];
  const at = rows.findIndex((row) => row.closest("li")?.contains(document.activeElement));
  const next = rows[at + step];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}
