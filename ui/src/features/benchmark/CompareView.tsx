// Two runs side by side: groups and tasks, greatest loss first.

import { useMemo, useState } from "react";
import { navigate, useRoute } from "../../app/route";
import { Choice } from "../../components/Choice";
import { Button, IconButton } from "../../components/controls";
import { plural } from "../../components/format";
import { Empty, Failure } from "../../components/states";
import { type Comparison, type RunInfo, useBenchCompare } from "../../ipc";
import { ChangedTasks } from "./ChangedTasks";
import { joined, moment, partialNote, shortCommit } from "./figures";
import { GroupDifferences } from "./GroupDifferences";
import { Skeleton } from "./Skeleton";
import { Subjects } from "./SubjectMark";
import { runTitle, slotsOf, subjectLabel } from "./subjects";
import { isSame } from "./verdict";

export function CompareView({ runs, base }: { runs: RunInfo[]; base: RunInfo }) {
  const { params } = useRoute();
  const against = (params.against ?? "").split(",").filter((id) => id !== base.id);
  const others = against.flatMap((id) => runs.find((run) => run.id === id) ?? []);
  const other = others.find((run) => run.id === params.other) ?? others[0];
  const slots = useMemo(() => slotsOf(base.subjects.map((one) => one.name)), [base.subjects]);
  const back = () => navigate({ view: "benchmark", id: base.id });
  const show = (to: RunInfo, rest: RunInfo[], shown: string) => {
    const ids = rest.map((run) => run.id).join(",");
    navigate({ view: "benchmark", id: to.id, params: { against: ids, other: shown } });
  };
  if (!other) {
    return (
      <Empty action={<Button onPress={back}>Back to runs</Button>}>
        The other run has been deleted.
      </Empty>
    );
  }
  const swap = () => show(other, [base, ...others.filter((run) => run !== other)], base.id);
  return (
    <Subjects value={slots}>
      <section className="bench-compare" aria-label="Comparison" data-testid="bench-comparison">
        <header className="bench-head">
          <Button icon="left" data-testid="bench-back" onPress={back}>
            Runs
          </Button>
          <h1>Compare</h1>
          <RunWords part="Base" run={base} />
          <IconButton icon="right" label="Swap the two runs" onPress={swap} />
          <RunWords part="Other" run={other} />
          {others.length > 1 && (
            <Choice
              showLabel
              slim
              label="Other"
              data-testid="bench-other"
              value={other.id}
              options={others.map((run) => ({ value: run.id, label: runTitle(run) }))}
              onChange={(id) => show(base, others, id)}
            />
          )}
        </header>
        <Body base={base} other={other} from={`${base.id}~${params.against}~${other.id}`} />
      </section>
    </Subjects>
  );
}

function RunWords({ part, run }: { part: string; run: RunInfo }) {
  return (
    <div className="bench-head-words">
      <p className="ellipsis" title={runTitle(run)}>
        <span className="muted">{part}</span> <b>{runTitle(run)}</b>
      </p>
      <p className="small muted ellipsis">
        {joined([moment(run.started), `v${run.version}`, shortCommit(run.commit)])}
        {partialNote(run) && " · partial"}
      </p>
    </div>
  );
}

function Body({ base, other, from }: { base: RunInfo; other: RunInfo; from: string }) {
  const comparison = useBenchCompare(base.id, other.id);
  if (comparison.isPending) return <Skeleton label="Comparing" rows={10} />;
  if (comparison.isError)
    return <Failure error={comparison.error} onRetry={() => comparison.refetch()} />;
  return <Differences comparison={comparison.data} from={from} />;
}

function Differences({ comparison, from }: { comparison: Comparison; from: string }) {
  const subjects = [...new Set(comparison.groups.map((group) => group.subject))];
  const [picked, setPicked] = useState("");
  const [withSame, setWithSame] = useState(false);
  const fits = (one: { subject: string }) => picked === "" || one.subject === picked;
  const { unmatched } = comparison;
  const groups = comparison.groups.filter(fits);
  const changed = groups.filter((group) => !isSame(group.value));
  if (comparison.groups.length === 0)
    return <Empty>The two runs share no task answered by the same tool.</Empty>;
  return (
    <div className="bench-differences">
      <div className="bench-bar">
        {subjects.length > 1 && (
          <Choice
            showLabel
            slim
            label="Tool"
            data-testid="bench-compare-subject"
            value={picked}
            options={[{ value: "", label: "All" }, ...subjects.map(named)]}
            onChange={setPicked}
          />
        )}
        {changed.length < groups.length && (
          <label className="check">
            <input
              type="checkbox"
              checked={withSame}
              onChange={(event) => setWithSame(event.target.checked)}
            />
            Show {plural(groups.length - changed.length, "unchanged group")}
          </label>
        )}
        <p className="small muted" data-testid="bench-unmatched">
          {unmatched === 0
            ? "Both runs answered the same tasks."
            : `${plural(unmatched, "answer")} found in only one of the runs, not counted.`}
        </p>
      </div>
      <GroupDifferences groups={withSame ? groups : changed} />
      <ChangedTasks comparison={comparison} tasks={comparison.tasks.filter(fits)} from={from} />
    </div>
  );
}

function named(subject: string) {
  return { value: subject, label: subjectLabel(subject) };
}
