// How the tasks of a run are filtered and ordered; kept while a task, or Explain, is open.

import { createStore } from "../../app/store";
import { NO_FILTER, type TaskFilter, type TaskSort } from "./tasks";

interface TasksView {
  run: string;
  filter: TaskFilter;
  sort: TaskSort;
  /** Key of the row that was last chosen. */
  chosen: string | undefined;
}

const FIRST: Omit<TasksView, "run"> = {
  filter: NO_FILTER,
  sort: { by: "", descending: false },
  chosen: undefined,
};

const store = createStore<TasksView>({ run: "", ...FIRST });

/** The state for a run (another run's is forgotten), and how to change it. */
export function useTasksView(run: string) {
  const held = store.use();
  const view = held.run === run ? held : { run, ...FIRST };
  const change = (part: Partial<Omit<TasksView, "run">>) => store.set({ ...view, ...part });
  return [view, change] as const;
}
