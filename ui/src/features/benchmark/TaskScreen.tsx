// One task: what was asked, expected and answered, subject by subject. It has the whole width.

import { useEffect, useMemo, useRef } from "react";
import { amend, navigate, useRoute } from "../../app/route";
import { Button, IconButton } from "../../components/controls";
import { count } from "../../components/format";
import { useKeys } from "../../components/useKeys";
import { type RunInfo, useBenchTasks } from "../../ipc";
import { categoryName, joined } from "./figures";
import { Subjects } from "./SubjectMark";
import { SubjectSwitch } from "./SubjectSwitch";
import { slotsOf } from "./subjects";
import { TaskAnswer } from "./TaskAnswer";
import { filterTasks, pivot, sortTasks, type TaskRow, taskKey } from "./tasks";
import { useTasksView } from "./tasks-view";

export function TaskScreen({ run }: { run: RunInfo }) {
  const { params } = useRoute();
  const { suite = "", task = "" } = params;
  const subject = params.subject || run.subjects[0]?.name || "";
  const { row, rows, at } = useTaskAmongOthers(run, suite, task);
  const slots = useMemo(() => slotsOf(run.subjects.map((one) => one.name)), [run.subjects]);
  const go = (change: Record<string, string>) =>
    amend({ view: "benchmark", id: run.id, params: { ...params, ...change } });
  const step = (by: number) => {
    const next = rows[at + by];
    if (next) go({ suite: next.suite, task: next.task });
  };
  const back = () => leave(run.id, params);
  useKeys({ j: () => step(1), k: () => step(-1), Escape: back });
  const screen = useRef<HTMLElement>(null);
  useEffect(() => screen.current?.focus({ preventScroll: true }), []);
  return (
    <Subjects value={slots}>
      <section
        ref={screen}
        className="bench-task"
        aria-label="Task"
        data-testid="bench-task"
        tabIndex={-1}
      >
        <header className="bench-head">
          <Button icon="left" data-testid="bench-back" onPress={back}>
            {params.from ? "Comparison" : "Tasks"}
          </Button>
          <div className="bench-head-words">
            <h1 className="bench-task-question">{row?.question ?? task}</h1>
            <p className="small muted ellipsis">
              {row &&
                `${joined([categoryName(row.category), row.repo, row.language, row.stratum])} · `}
              {suite} · <span className="code">{task}</span>
            </p>
          </div>
          <span className="small muted num">
            {at >= 0 && `${count(at + 1)} of ${count(rows.length)}`}
          </span>
          <IconButton
            icon="up"
            label="Previous task (k)"
            isDisabled={at <= 0}
            data-testid="bench-prev"
            onPress={() => step(-1)}
          />
          <IconButton
            icon="down"
            label="Next task (j)"
            isDisabled={at < 0 || at + 1 >= rows.length}
            data-testid="bench-next"
            onPress={() => step(1)}
          />
        </header>
        <SubjectSwitch
          subjects={run.subjects.map((one) => one.name)}
          row={row}
          chosen={subject}
          onChoose={(name) => go({ subject: name })}
        />
        <TaskAnswer run={run.id} suite={suite} subject={subject} task={task} />
      </section>
    </Subjects>
  );
}

/** The task among those that the table showed, or among all where the table showed it not. */
function useTaskAmongOthers(run: RunInfo, suite: string, task: string) {
  const lines = useBenchTasks(run.id);
  const [view, change] = useTasksView(run.id);
  const main = run.subjects[0]?.name ?? "";
  const key = taskKey(suite, task);
  const all = useMemo(() => pivot(lines.data ?? []), [lines.data]);
  const rows = useMemo((): TaskRow[] => {
    const shown = sortTasks(filterTasks(all, view.filter, main), view.sort, main);
    return shown.some((one) => one.key === key) ? shown : sortTasks(all, view.sort, main);
  }, [all, view.filter, view.sort, main, key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table comes back to this task
  useEffect(() => change({ chosen: key }), [key]);
  const at = rows.findIndex((one) => one.key === key);
  return { row: rows[at], rows, at };
}

function leave(run: string, params: Record<string, string>): void {
  const [base, against = "", other = ""] = (params.from ?? "").split("~");
  if (base) navigate({ view: "benchmark", id: base, params: { against, other } });
  else navigate({ view: "benchmark", id: run, params: { tab: params.tab ?? "tasks" } });
}
