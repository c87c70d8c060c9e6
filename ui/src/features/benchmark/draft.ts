// A run to be: what the dialog holds, what is wrong with it, and the request it becomes.

import type { RunRequest, SuiteChoice } from "../../ipc";

export interface Draft {
  source: "suites" | "own";
  title: string;
  suites: string[];
  paths: string[];
  ownRepo: string;
  subjects: string[];
  categories: string[];
  languages: string[];
  limit: string;
  /** Of a repository's own code, in all. */
  questions: string;
  seed: string;
  /** Folders in which checkouts of the tasks' repositories lie already. */
  folders: string[];
  noVectors: boolean;
}

export const FIRST_DRAFT: Draft = {
  source: "suites",
  title: "",
  suites: [],
  paths: [],
  ownRepo: "",
  subjects: [],
  categories: [],
  languages: [],
  limit: "20",
  questions: "50",
  seed: "1",
  folders: [],
  noVectors: false,
};

/** What keeps the run from starting, in words; `null` when nothing does. */
export function problemOf(draft: Draft): string | null {
  if (draft.source === "own" && draft.ownRepo === "") return "Choose an indexed repository.";
  if (draft.source === "suites" && draft.suites.length + draft.paths.length === 0)
    return "Choose at least one task set.";
  if (draft.subjects.length === 0) return "Choose at least one tool.";
  if (draft.source === "own" && !(isCount(draft.questions) && Number(draft.questions) > 0))
    return "The number of questions is a whole number above 0.";
  if (draft.source === "suites" && !isCount(draft.limit))
    return "The limit is a whole number, 0 for all tasks.";
  if (!isCount(draft.seed)) return "The seed is a whole number.";
  return null;
}

export function requestOf(draft: Draft): RunRequest {
  const fromSuites = draft.source === "suites";
  return {
    title: draft.title.trim(),
    suites: fromSuites ? [...draft.suites, ...draft.paths] : [],
    subjects: draft.subjects,
    categories: fromSuites ? draft.categories : [],
    languages: fromSuites ? draft.languages : [],
    limit: Number(fromSuites ? draft.limit : draft.questions),
    seed: Number(draft.seed),
    own_repo: fromSuites ? null : draft.ownRepo,
    folders: fromSuites ? draft.folders : [],
    no_vectors: draft.noVectors,
  };
}

/** The most answers the run can come to; unknown for paths. */
export function mostAnswers(draft: Draft, choices: readonly SuiteChoice[]): number | null {
  if (draft.source === "own") return Number(draft.questions) * draft.subjects.length;
  if (draft.paths.length > 0) return null;
  const limit = Number(draft.limit);
  const tasks = choices
    .filter((choice) => draft.suites.includes(choice.name))
    .map((choice) => {
      const categories = choice.categories.filter(
        (one) => draft.categories.length === 0 || draft.categories.includes(one),
      );
      return limit > 0 ? Math.min(choice.n_tasks, limit * categories.length) : choice.n_tasks;
    });
  return tasks.reduce((sum, n) => sum + n, 0) * draft.subjects.length;
}

export function toggled(items: readonly string[], item: string): string[] {
  return items.includes(item) ? items.filter((one) => one !== item) : [...items, item];
}

function isCount(text: string): boolean {
  return /^\d{1,9}$/.test(text.trim());
}
