// Tasks whose score changed, greatest loss first; each opens in either run.

import { navigate } from "../../app/route";
import { createStore } from "../../app/store";
import { count } from "../../components/format";
import { Icon } from "../../components/Icon";
import { Empty } from "../../components/states";
import type { Comparison, TaskDifference } from "../../ipc";
import { categoryName, score, signedScore } from "./figures";
import { SubjectName } from "./SubjectMark";
import { type GridColumn, VirtualGrid } from "./VirtualGrid";

/** The row to come back to from a task. */
const lastOpened = createStore<{ of: string; key: string | undefined }>({
  of: "",
  key: undefined,
});

export function ChangedTasks(props: {
  comparison: Comparison;
  tasks: TaskDifference[];
  from: string;
}) {
  const { tasks, comparison } = props;
  const held = lastOpened.use();
  const chosen = held.of === props.from ? held.key : undefined;
  const open = (run: string, row: TaskDifference) =>
    navigate({
      view: "benchmark",
      id: run,
      params: { suite: row.suite, task: row.task, subject: row.subject, from: props.from },
    });
  const worse = tasks.filter((task) => task.other < task.base).length;
  return (
    <section className="bench-changed" aria-label="Changed tasks">
      <header className="bench-panel-head">
        <h2 className="minor">Changed tasks</h2>
        <p className="small muted">
          {count(worse)} worse, {count(tasks.length - worse)} better. Enter opens a task in the
          other run, Shift+Enter in the base.
        </p>
      </header>
      {tasks.length === 0 ? (
        <Empty>No score changed.</Empty>
      ) : (
        <VirtualGrid
          label="Changed tasks"
          testid="bench-changed"
          columns={columnsFor(comparison, open)}
          rows={tasks}
          keyOf={keyOf}
          leastPx={640}
          chosen={chosen}
          onChoose={(key) => lastOpened.set({ of: props.from, key })}
          onOpen={(row, inBase) => open(inBase ? comparison.base : comparison.other, row)}
        />
      )}
    </section>
  );
}

function keyOf(row: TaskDifference): string {
  return `${row.suite}\n${row.subject}\n${row.task}`;
}

function columnsFor(
  { base, other }: Comparison,
  open: (run: string, row: TaskDifference) => void,
): GridColumn<TaskDifference>[] {
  const inRun = (run: string, value: number, row: TaskDifference, words: string) => (
    <button
      type="button"
      className="bench-link num"
      tabIndex={-1}
      title={`Open in the ${words} run`}
      onClick={(event) => {
        event.stopPropagation();
        open(run, row);
      }}
    >
      {score(value)}
    </button>
  );
  return [
    {
      id: "question",
      head: "Question",
      width: "minmax(180px, 1fr)",
      cell: (row) => (
        <span className="bench-question" title={`${row.question}\n${row.task}`}>
          <span className="ellipsis">{row.question}</span>
          <span className="small muted ellipsis">{row.suite}</span>
        </span>
      ),
    },
    { id: "category", head: "Kind", width: "112px", cell: (row) => categoryName(row.category) },
    {
      id: "subject",
      head: "Tool",
      width: "minmax(100px, 150px)",
      cell: (row) => <SubjectName subject={row.subject} />,
    },
    {
      id: "base",
      head: "Base",
      width: "68px",
      numeric: true,
      cell: (row) => inRun(base, row.base, row, "base"),
    },
    {
      id: "other",
      head: "Other",
      width: "68px",
      numeric: true,
      cell: (row) => inRun(other, row.other, row, "other"),
    },
    {
      id: "difference",
      head: "Change",
      width: "96px",
      numeric: true,
      cell: (row) => <Change by={row.other - row.base} />,
    },
  ];
}

function Change({ by }: { by: number }) {
  return (
    <span className="bench-change" data-worse={by < 0 || undefined}>
      <Icon name={by < 0 ? "down" : "up"} />
      <span className="visually-hidden">{by < 0 ? "worse" : "better"}</span>
      {signedScore(by)}
    </span>
  );
}
