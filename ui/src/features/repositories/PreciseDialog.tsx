// Building a compiler index: every command is shown before anything runs, and may be left out.

import { useState } from "react";
import { Button, IconButton } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { count } from "../../components/format";
import { Icon } from "../../components/Icon";
import { PathText } from "../../components/PathText";
import { Failure, FailureLine, Loading } from "../../components/states";
import {
  copyText,
  type IndexerPlan,
  type PrecisePlan,
  type PreciseProgress,
  type RepoSummary,
  useCancelIndexers,
  usePrecisePlan,
  usePreciseProgress,
  useRunIndexers,
} from "../../ipc";

export function PreciseDialog({ repo, onClose }: { repo: RepoSummary; onClose: () => void }) {
  const plan = usePrecisePlan(repo.id);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const run = useRunIndexers(repo.id);
  const cancel = useCancelIndexers(repo.id);
  const progress = usePreciseProgress(repo.id);
  const running = run.isPending || plan.data?.is_running === true;
  const chosen = (plan.data?.indexers ?? [])
    .filter((one) => one.state !== "missing" && !left.has(one.id))
    // With the commands as they are shown: others are refused.
    .map(({ id, commands }) => ({ id, commands }));
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  return (
    <Dialog
      title={`Compiler index for ${repo.name}`}
      onClose={onClose}
      wide
      footer={
        <>
          <Button onPress={onClose}>{running ? "Hide" : "Close"}</Button>
          {running ? (
            <Button
              data-testid="precise-cancel"
              isPending={cancel.isPending}
              onPress={() => cancel.mutate()}
            >
              Cancel
            </Button>
          ) : (
            <Button
              kind="primary"
              data-testid="precise-run"
              isDisabled={chosen.length === 0}
              onPress={() => run.mutate(chosen)}
            >
              Run {chosen.length === 1 ? chosen[0]?.id : `${chosen.length} indexers`}
            </Button>
          )}
        </>
      }
    >
      {plan.isPending && <Loading label="Looking for indexers" />}
      {plan.isError && <Failure error={plan.error} onRetry={() => plan.refetch()} />}
      {plan.data && (
        <Indexers
          plan={plan.data}
          left={left}
          disabled={running}
          progress={progress}
          onToggle={toggle}
        />
      )}
      <FailureLine error={run.error ?? cancel.error} />
    </Dialog>
  );
}

function Indexers(props: {
  plan: PrecisePlan;
  left: ReadonlySet<string>;
  disabled: boolean;
  progress: Record<string, PreciseProgress>;
  onToggle: (id: string) => void;
}) {
  if (props.plan.indexers.length === 0)
    return <p>No known indexer supports this repository's languages.</p>;
  return (
    <>
      <p className="muted">
        An indexer asks a compiler or type checker what each name means. What it writes is kept in
        Whyrank&apos;s own folder; files edited later fall back to what their text says.
      </p>
      <ul className="indexers">
        {props.plan.indexers.map((one) => (
          <Indexer
            key={one.id}
            plan={one}
            chosen={!props.left.has(one.id)}
            disabled={props.disabled}
            progress={props.progress[one.id]}
            onToggle={() => props.onToggle(one.id)}
          />
        ))}
      </ul>
    </>
  );
}

const STATES: Record<IndexerPlan["state"], string> = {
  ready: "installed",
  installable: "downloaded first",
  missing: "not installed",
};

function Indexer(props: {
  plan: IndexerPlan;
  chosen: boolean;
  disabled: boolean;
  progress: PreciseProgress | undefined;
  onToggle: () => void;
}) {
  const { plan } = props;
  const missing = plan.state === "missing";
  return (
    <li className="indexer" data-testid="indexer" data-indexer={plan.id}>
      <label className="check">
        <input
          type="checkbox"
          checked={props.chosen && !missing}
          disabled={props.disabled || missing}
          onChange={props.onToggle}
        />
        <strong>{plan.id}</strong>
        <span className="muted">
          {plan.languages.join(", ")}, {count(plan.n_files)} files, {STATES[plan.state]}
        </span>
      </label>
      {plan.runs_code && (
        <p className="verdict" data-tone="amber">
          <Icon name="warn" />
          Runs what this repository brings or names: {plan.runs_code}.
        </p>
      )}
      {missing ? (
        <p className="precise-command">
          <span className="code wrap">{plan.how_to_get}</span>
          <IconButton icon="copy" label="Copy" onPress={() => copyText(plan.how_to_get)} />
        </p>
      ) : (
        plan.commands.map((command) => (
          <p key={command.line} className="precise-command" title={`in ${command.folder}`}>
            <span className="code wrap">{command.line}</span>
            <IconButton icon="copy" label="Copy" onPress={() => copyText(command.line)} />
          </p>
        ))
      )}
      {props.progress && <Progress progress={props.progress} />}
    </li>
  );
}

const WORDS: Record<PreciseProgress["state"], string> = {
  installing: "Downloading",
  running: "Running",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

function Progress({ progress }: { progress: PreciseProgress }) {
  const live = progress.state === "installing" || progress.state === "running";
  return (
    <div className="pull" data-testid="indexer-progress" data-state={progress.state}>
      {live && (
        <div className="bar" role="progressbar" aria-label={WORDS[progress.state]} data-unknown>
          <i style={{ width: "30%" }} />
        </div>
      )}
      <span className="small muted wrap">
        {WORDS[progress.state]}, {Math.round(progress.elapsed_s)} s
        {live && progress.line && `: ${progress.line}`}
      </span>
      {progress.error && <FailureLine error={progress.error} />}
      {!live && (
        <p className="health-path">
          <PathText className="code small muted" path={progress.log} />
          <IconButton icon="copy" label="Copy log path" onPress={() => copyText(progress.log)} />
        </p>
      )}
    </div>
  );
}
