// All tasks of a run, a column for each subject, worst first.

import { useMemo } from "react";
import { navigate } from "../../app/route";
import { Button } from "../../components/controls";
import { count } from "../../components/format";
import { Empty, Failure } from "../../components/states";
import { type RunInfo, type SubjectInfo, useBenchTasks } from "../../ipc";
import { categoryName, joined } from "./figures";
import { ScoreCell } from "./ScoreCell";
import { Skeleton } from "./Skeleton";
import { SubjectName } from "./SubjectMark";
import { subjectLabel } from "./subjects";
import { TaskFilters } from "./TaskFilters";
import { filterTasks, NO_FILTER, pivot, sortTasks, type TaskRow } from "./tasks";
import { useTasksView } from "./tasks-view";
import { type GridColumn, VirtualGrid } from "./VirtualGrid";

export function TasksPanel({ run, isLive }: { run: RunInfo; isLive: boolean }) {
  const lines = useBenchTasks(run.id, isLive);
  const [view, change] = useTasksView(run.id);
  const main = run.subjects[0]?.name ?? "";
  const all = useMemo(() => pivot(lines.data ?? []), [lines.data]);
  const rows = useMemo(
    () => sortTasks(filterTasks(all, view.filter, main), view.sort, main),
    [all, view.filter, view.sort, main],
  );
  const columns = useMemo(() => columnsFor(run.subjects), [run.subjects]);
  if (lines.isPending) return <Skeleton label="Reading tasks" rows={10} />;
  if (lines.isError) return <Failure error={lines.error} onRetry={() => lines.refetch()} />;
  if (all.length === 0)
    return <Empty>{isLive ? "Answers appear here as they come." : "No task was answered."}</Empty>;
  return (
    <div className="bench-tasks">
      <TaskFilters
        rows={all}
        main={main}
        filter={view.filter}
        onChange={(filter) => change({ filter })}
      />
      <p className="small muted bench-count" role="status">
        {count(rows.length)} of {count(all.length)} tasks
        {view.sort.by === "" && `, worst for ${subjectLabel(main)} first`}
      </p>
      {rows.length === 0 ? (
        <Empty action={<Button onPress={() => change({ filter: NO_FILTER })}>Show all</Button>}>
          No task matches the filters.
        </Empty>
      ) : (
        <VirtualGrid
          label="Tasks"
          testid="bench-tasks"
          columns={columns}
          rows={rows}
          keyOf={(row) => row.key}
          leastPx={316 + run.subjects.length * 80}
          chosen={view.chosen}
          onChoose={(chosen) => change({ chosen })}
          onOpen={(row) => openTask(run.id, row, main)}
          sort={view.sort}
          onSort={(sort) => change({ sort })}
        />
      )}
    </div>
  );
}

function openTask(run: string, row: TaskRow, subject: string): void {
  const params = { tab: "tasks", suite: row.suite, task: row.task, subject };
  navigate({ view: "benchmark", id: run, params });
}

function columnsFor(subjects: SubjectInfo[]): GridColumn<TaskRow>[] {
  return [
    {
      id: "question",
      head: "Question",
      width: "minmax(220px, 3fr)",
      biggestFirst: false,
      cell: (row) => (
        <span className="bench-question" title={`${row.question}\n${row.task}`}>
          <span className="ellipsis">{row.question}</span>
          <span className="small muted ellipsis">{joined([row.repo, row.language])}</span>
        </span>
      ),
    },
    {
      id: "category",
      head: "Category",
      width: "112px",
      biggestFirst: false,
      cell: (row) => (
        <span className="ellipsis" title={row.stratum}>
          {categoryName(row.category)}
        </span>
      ),
    },
    ...subjects.map(
      ({ name }): GridColumn<TaskRow> => ({
        id: `subject:${name}`,
        head: <SubjectName subject={name} />,
        width: "minmax(72px, 1fr)",
        numeric: true,
        biggestFirst: true,
        cell: (row) => <ScoreCell line={row.lines[name]} row={row} />,
      }),
    ),
  ];
}
