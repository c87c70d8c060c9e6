// Benchmark: runs on the left, what came of one on the right; two side by side.

import "./benchmark.css";
import "./charts.css";
import "./tables.css";
import "./tasks.css";
import { amend, navigate, useRoute } from "../../app/route";
import { Button } from "../../components/controls";
import { Split } from "../../components/Splitter";
import { Empty, Failure } from "../../components/states";
import { useBenchProgress, useBenchRuns, useFollowedRun } from "../../ipc";
import { asOfNow } from "./as-of-now";
import { CompareView } from "./CompareView";
import { JudgedButton } from "./JudgedButton";
import { JudgedPanel } from "./JudgedPanel";
import { NewRunDialog } from "./NewRunDialog";
import { OverCommits } from "./OverCommits";
import { RunDetail } from "./RunDetail";
import { RunList } from "./RunList";
import { Skeleton } from "./Skeleton";
import { TaskScreen } from "./TaskScreen";

export function BenchmarkView() {
  const { id, params } = useRoute();
  const progress = useBenchProgress();
  useFollowedRun(progress.data);
  const start = () =>
    navigate({ view: "benchmark", id, params: { tab: params.tab ?? "", new: "1" } });
  const isJudged = params.judged !== undefined;
  const judged: Record<string, string> = isJudged ? { judged: "1" } : {};
  const stop = () => amend({ view: "benchmark", id, params: { tab: params.tab ?? "", ...judged } });
  const runJudged = () => navigate({ view: "benchmark", params: { judged: "1", new: "1" } });
  return (
    <section className="view bench" aria-label="Measure">
      {isJudged ? <JudgedPanel onRun={runJudged} /> : <Screen onNew={start} />}
      {params.new !== undefined && (
        <NewRunDialog suites={isJudged ? ["judged"] : []} onClose={stop} />
      )}
    </section>
  );
}

function Screen({ onNew }: { onNew: () => void }) {
  const { id, params } = useRoute();
  const listed = useBenchRuns();
  const live = useBenchProgress().data;
  if (listed.isPending) return <Skeleton label="Reading runs" />;
  if (listed.isError) return <Failure error={listed.error} onRetry={() => listed.refetch()} />;
  const runs = listed.data.map((run) => asOfNow(run, live));
  const shown = runs.find((run) => run.id === id) ?? (id ? undefined : runs[0]);
  if (params.commits !== undefined) return <OverCommits runs={runs} />;
  if (shown && params.against) return <CompareView runs={runs} base={shown} />;
  if (shown && params.task) return <TaskScreen run={shown} />;
  if (runs.length === 0 && live?.state !== "running") return <NoRuns onNew={onNew} />;
  const isLive = live?.state === "running" && live.id === shown?.id;
  return (
    <Split
      id="benchmark"
      share={0.27}
      first={<RunList runs={runs} chosen={shown?.id} live={live ?? null} onNew={onNew} />}
      second={
        shown ? (
          <RunDetail key={shown.id} run={shown} isLive={isLive} />
        ) : (
          <Empty>{id ? "This run has been deleted." : "The first run is in progress."}</Empty>
        )
      }
    />
  );
}

function NoRuns({ onNew }: { onNew: () => void }) {
  return (
    <Empty
      action={
        <>
          <Button kind="primary" icon="plus" data-testid="bench-new" onPress={onNew}>
            New run
          </Button>
          <JudgedButton />
        </>
      }
    >
      A benchmark run puts the same questions about code to Whyrank and to plain tools such as grep.
      It shows how much each tool finds and what it costs an agent in tokens.
    </Empty>
  );
}
