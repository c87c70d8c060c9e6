// What is drawn over the map: files lit in layers, the others dimmed. A session of an agent, a diff and a file are
// all of this form.

import { plural } from "../../../components/format";
import type { CallSession, RepositoryMap, ReviewResponse, TestMapResponse } from "../../../ipc";

/** How a layer is told from others without its colour: the line around its files. */
export type Mark = "solid" | "dashed" | "dotted";

export interface LitFile {
  path: string;
  /** Why it is lit. */
  note: string;
}

export interface Layer {
  mark: Mark;
  label: string;
  files: LitFile[];
}

export interface MapOverlay {
  title: string;
  /** A file of several layers is drawn as of the first. */
  layers: Layer[];
  /** What is not known. */
  notes: string[];
}

export interface Lit {
  mark: Mark;
  notes: string[];
}

/** Files of an overlay by path. `start` is what the map puts before a path, where it is of several repositories. */
export function litFiles({ layers }: MapOverlay, start = ""): Map<string, Lit> {
  const lit = new Map<string, Lit>();
  for (const { mark, files } of layers)
    for (const { path, note } of files) {
      const known = lit.get(start + path);
      if (known) known.notes.push(note);
      else lit.set(start + path, { mark, notes: [note] });
    }
  return lit;
}

/** Of the calls that asked `repo`, and of those of which nothing else is known. */
export function overlayOfSession({ calls, files, total }: CallSession, repo: string): MapOverlay {
  const here = calls.filter(({ line }) => !line.repo || line.repo === repo);
  const nElsewhere = calls.length - here.length;
  const nGone = here.filter((call) => call.shown === null).length;
  const nOlder = total.calls - calls.length;
  const client = calls[0]?.line.client ?? "an agent";
  return {
    title: `Files that ${client} was shown`,
    layers: [
      {
        mark: "solid",
        label: "Shown in answers",
        files: (nElsewhere > 0 ? filesOf(here) : files).map(({ reason, count }) => ({
          path: reason,
          note: `in ${plural(count, "answer")}`,
        })),
      },
    ],
    notes: [
      ...(nGone > 0 ? [`${plural(nGone, "answer")} no longer kept: their files are missing.`] : []),
      ...(nElsewhere > 0
        ? [`${plural(nElsewhere, "call")} to another repository: their files are not drawn.`]
        : []),
      ...(nOlder > 0 ? [`${plural(nOlder, "older call")} not read.`] : []),
    ],
  };
}

/** Files by how many of the calls showed them, those of most calls first. */
function filesOf(calls: CallSession["calls"]): CallSession["files"] {
  const counts = new Map<string, number>();
  for (const { shown } of calls)
    for (const path of new Set(shown?.map((place) => place.path)))
      counts.set(path, (counts.get(path) ?? 0) + 1);
  const files = [...counts].map(([reason, count]) => ({ reason, count }));
  return files.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

/** The blast radius of a diff. `tests` are `null` where they are not known. */
export function overlayOfReview(
  review: ReviewResponse,
  tests: TestMapResponse | null,
  base: string,
): MapOverlay {
  const left = callersLeft(review);
  const { nMore } = left;
  const users = new Set(left.callers.map(({ path }) => path));
  const changed = changedFiles(review).map(({ path, note }) =>
    users.has(path) ? { path, note: `${note}, with a use left behind` } : { path, note },
  );
  // A file is lit once: one that changed is no user that did not.
  const here = new Set(changed.map(({ path }) => path));
  const callers = left.callers.filter(({ path }) => !here.has(path));
  return {
    title: `Reach of ${changeNamed(base)}`,
    layers: [
      { mark: "solid", label: "Changed", files: changed },
      { mark: "dashed", label: "Users that did not change", files: callers },
      ...(tests
        ? [{ mark: "dotted" as const, label: "Tests that reach it", files: testFiles(tests) }]
        : []),
    ],
    notes: [
      ...(nMore > 0
        ? [`${plural(nMore, "more user")} not listed: more files may use what changed.`]
        : []),
      ...(tests ? testNotes(tests) : []),
      ...[...new Set([review.without, tests?.without ?? "", ...review.notes])].filter(Boolean),
    ],
  };
}

function changeNamed(base: string): string {
  if (base === "") return "uncommitted changes";
  if (base.endsWith("^!")) return `commit ${base.slice(0, -2)}`;
  return base.includes("..") ? base : `what differs from ${base}`;
}

/** A file with what it uses and who uses it, as far as the map has them. */
export function overlayOfFile(path: string, { files, edges }: RepositoryMap): MapOverlay {
  const at = files.findIndex((file) => file.path === path);
  const tied = (isTied: (edge: RepositoryMap["edges"][number]) => number | null): LitFile[] =>
    edges.flatMap((edge) => {
      const other = files[isTied(edge) ?? -1];
      return other ? [{ path: other.path, note: plural(edge.n_uses, "use") }] : [];
    });
  return {
    title: path.split("/").at(-1) ?? path,
    layers: [
      { mark: "solid", label: "Chosen", files: [{ path, note: "chosen" }] },
      {
        mark: "dashed",
        label: "Uses it",
        files: tied((edge) => (edge.to === at ? edge.from : null)),
      },
      {
        mark: "dotted",
        label: "Used by it",
        files: tied((edge) => (edge.from === at ? edge.to : null)),
      },
    ],
    notes: [],
  };
}

function changedFiles(review: ReviewResponse): LitFile[] {
  const notes = new Map<string, string>();
  const add = (path: string, note: string) => {
    if (!notes.has(path)) notes.set(path, note);
  };
  for (const { path, n_symbols } of review.files)
    add(path, `${plural(n_symbols, "definition")} changed`);
  for (const { path, from } of review.moved_files) add(path, `moved from ${from}`);
  for (const path of review.removed_files) add(path, "removed");
  for (const { path } of review.unread) add(path, "not read");
  for (const path of review.others) add(path, "changed: test, docs or other");
  return [...notes].map(([path, note]) => ({ path, note }));
}

/** Files with users that did not change, and how many users the review does not list. */
function callersLeft({ symbols }: ReviewResponse): { callers: LitFile[]; nMore: number } {
  const names = new Map<string, Set<string>>();
  let nMore = 0;
  for (const { symbol, callers, n_callers } of symbols) {
    const inCode = callers.filter((caller) => !caller.test);
    nMore += Math.max(0, n_callers - inCode.length);
    for (const { path } of inCode)
      names.set(path, (names.get(path) ?? new Set()).add(symbol.qualified));
  }
  const callers = [...names].map(([path, used]) => ({ path, note: `uses ${some([...used])}` }));
  return { callers, nMore };
}

function testFiles({ symbols }: TestMapResponse): LitFile[] {
  const reached = new Map<string, { names: Set<string>; isSure: boolean }>();
  for (const { symbol, tests } of symbols)
    for (const { path, sure } of tests) {
      const known = reached.get(path) ?? { names: new Set(), isSure: false };
      known.names.add(symbol.qualified);
      reached.set(path, { ...known, isSure: known.isSure || sure });
    }
  return [...reached].map(([path, { names, isSure }]) => ({
    path,
    note: `${isSure ? "reaches" : "maybe reaches"} ${some([...names])}`,
  }));
}

function testNotes({ symbols, unknown }: TestMapResponse): string[] {
  const isCut = symbols.some(({ tests, n_tests }) => n_tests > tests.length);
  const isOpen = symbols.some(({ n_possible, n_open }) => n_possible + n_open > 0);
  return [
    ...(unknown.length > 0
      ? [`${plural(unknown.length, "changed definition")} not in the index: tests not known.`]
      : []),
    ...(isCut ? ["More tests reach it than are listed."] : []),
    ...(isOpen ? ["Others may reach it by a name or an override."] : []),
  ];
}

/** The first two by name, the rest counted. */
function some(names: string[]): string {
  const more = names.length - 2;
  return `${names.slice(0, 2).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
