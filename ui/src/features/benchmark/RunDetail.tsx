// What came of a run, by tab. Figures of an unfinished run say so on every tab.

import { type ReactNode, useMemo } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { amend, useRoute } from "../../app/route";
import { Icon } from "../../components/Icon";
import { Empty, Failure } from "../../components/states";
import { type RunInfo, type Summary, useBenchSummary } from "../../ipc";
import { DefectsPanel } from "./DefectsPanel";
import { joined, moment, partialNote, shortCommit } from "./figures";
import { Overview } from "./Overview";
import { RunExport } from "./RunExport";
import { RunFacts } from "./RunFacts";
import { RunStateBadge } from "./RunStateBadge";
import { Skeleton } from "./Skeleton";
import { Subjects } from "./SubjectMark";
import { runTitle, slotsOf } from "./subjects";
import { TablesPanel } from "./TablesPanel";
import { TasksPanel } from "./TasksPanel";

export function RunDetail({ run, isLive }: { run: RunInfo; isLive: boolean }) {
  const summary = useBenchSummary(run.id, isLive);
  const figures = summary.data && {
    ...summary.data,
    run: { ...summary.data.run, n_done: run.n_done, n_wanted: run.n_wanted },
  };
  const slots = useMemo(() => slotsOf(run.subjects.map((one) => one.name)), [run.subjects]);
  return (
    <Subjects value={slots}>
      <section className="bench-detail" aria-label={runTitle(run)}>
        <Head run={run} isLive={isLive} />
        <PartialNote run={run} isLive={isLive} />
        {summary.isPending && <Skeleton label="Reading figures" rows={9} />}
        {summary.isError && <Failure error={summary.error} onRetry={() => summary.refetch()} />}
        {figures && <Parts summary={figures} isLive={isLive} />}
      </section>
    </Subjects>
  );
}

function Head({ run, isLive }: { run: RunInfo; isLive: boolean }) {
  return (
    <header className="bench-head">
      <div className="bench-head-words">
        <h2 className="ellipsis" title={runTitle(run)}>
          {runTitle(run)}
        </h2>
        <p className="small muted ellipsis">
          {joined([moment(run.started), `v${run.version}`, shortCommit(run.commit)])}
        </p>
      </div>
      <RunStateBadge run={run} isLive={isLive} />
      <RunExport run={run} />
    </header>
  );
}

/** A run whose process is gone is partial, not under way. */
function PartialNote({ run, isLive }: { run: RunInfo; isLive: boolean }) {
  const note = partialNote(isLive || run.state !== "running" ? run : { ...run, state: "failed" });
  if (!note && !run.error) return null;
  return (
    <p className="bench-partial" data-testid="bench-partial" data-live={isLive || undefined}>
      <Icon name={isLive ? "info" : "warn"} />
      <span>
        {note} {run.error}
      </span>
    </p>
  );
}

interface Part {
  key: string;
  label: string;
  needsFigures?: boolean;
  body: (summary: Summary, isLive: boolean) => ReactNode;
}

const PARTS: Part[] = [
  {
    key: "overview",
    label: "Overview",
    needsFigures: true,
    body: (summary) => <Overview summary={summary} />,
  },
  {
    key: "tables",
    label: "Tables",
    needsFigures: true,
    body: (summary) => <TablesPanel summary={summary} />,
  },
  {
    key: "tasks",
    label: "Tasks",
    body: ({ run }, isLive) => <TasksPanel run={run} isLive={isLive} />,
  },
  { key: "defects", label: "Defects", body: ({ defects }) => <DefectsPanel defects={defects} /> },
  { key: "details", label: "Run details", body: ({ run }) => <RunFacts run={run} /> },
];

function Parts({ summary, isLive }: { summary: Summary; isLive: boolean }) {
  const { id, params } = useRoute();
  const run = summary.run.id;
  const show = (tab: string) => amend({ view: "benchmark", id: id ?? run, params: { tab } });
  const isBare = summary.rows.length === 0;
  const parts = PARTS.filter((part) => part.key !== "defects" || summary.defects.length > 0);
  const open = parts.some(({ key }) => key === params.tab) ? params.tab : "overview";
  return (
    <Tabs className="bench-tabs" selectedKey={open} onSelectionChange={(key) => show(String(key))}>
      <TabList className="bench-tab-list" aria-label="Parts of the run">
        {parts.map(({ key, label }) => (
          <Tab key={key} id={key} className="bench-tab" data-testid={`bench-tab-${key}`}>
            {label} {key === "defects" && <span className="muted">{summary.defects.length}</span>}
          </Tab>
        ))}
      </TabList>
      {parts.map(({ key, needsFigures, body }) => (
        <TabPanel key={key} id={key} className="bench-tab-panel">
          {needsFigures && isBare ? <NoAnswers isLive={isLive} /> : body(summary, isLive)}
        </TabPanel>
      ))}
    </Tabs>
  );
}

function NoAnswers({ isLive }: { isLive: boolean }) {
  return (
    <Empty>{isLive ? "Answers appear here as they arrive." : "This run has no answers."}</Empty>
  );
}
