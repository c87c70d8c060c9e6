// Answers of the real engine for `vite dev` and tests; never part of a build.
//
// `recorded/*.json` are asked and written by a test of the shell (`src-tauri/src/tests/recorded`). A call is
// answered by the recording with the same arguments; where there is none, by the nearest of the same command: that
// of the same repository with the most arguments alike, of the latest scene that has one. What was never asked fails
// like a command that the engine lacks. An act (`leads_to`) goes on in the scene that was recorded after it. Tests
// of states set them up from recordings: slower, failing as a real call failed, an index in the making as a real one
// was told of.

import { emit } from "@tauri-apps/api/event";
import { mockIPC, mockWindows } from "@tauri-apps/api/mocks";
import type { DesktopState } from "./desktop";
import type { EngineFailure, JobProgress, RepoSummary } from "./types";

/** Where a recording begins: the demo as it is, without repositories, before the first start, and so on. */
export type Scene = "full" | "first" | "failing" | WorkingTree | "indexing" | "slow";
/** Changed much, as committed, with commits of its own, and in a merge. */
type WorkingTree = "changing" | "unchanged" | "ahead" | "merging";
type Given = Record<string, unknown>;

interface Recording {
  command: string;
  in?: string;
  leads_to?: string;
  given: Given;
  answer?: unknown;
  error?: EngineFailure;
}

/** The demo's repositories, and the moment at which they were asked. */
export const DEMO = "a1b2c3d4e5f6";
const MOMENT_MS = 1_779_960_600_000;
const STEP_MS = 100;

const files = import.meta.glob<Recording[]>("./recorded/*.json", {
  eager: true,
  import: "default",
});
const recordings = new Map<string, Recording[]>();
const cameFrom = new Map<string, string>();
for (const one of Object.values(files).flat()) {
  recordings.set(one.command, [...(recordings.get(one.command) ?? []), one]);
  if (one.leads_to) cameFrom.set(one.leads_to, one.in ?? "");
}
// All but what changed there is as in the demo.
for (const tree of ["changing", "unchanged", "ahead", "merging"] satisfies WorkingTree[])
  cameFrom.set(tree, "");

/** What the shell says without the engine: of this desktop, its dialogs and new versions of the program. */
const ofShell: Record<string, (given: Given) => unknown> = {
  desktop: () => desktop,
  set_desktop: ({ settings }) => {
    desktop = { ...desktop, settings: settings as DesktopState["settings"] };
    return desktop;
  },
  update_state: () => ({ by: "builder", failed: null }),
  link_state: () => ({ opens_here: false, missing: null }),
  open_links_here: ({ on }) => ({ opens_here: on === true, missing: null }),
  choose_path: () => "/home/me/code/ledger",
  choose_save_path: ({ name }) => `/home/me/${String(name)}`,
};

/** Commands whose answer nobody reads. */
const QUIET = new Set(
  `take_launched_repo take_opened_link notify_of_ends paint_window zoom prepare_search check_for_update
   install_update cancel_update cancel_rerank cancel_pull cancel_indexers pause_job resume_job`.split(
    /\s+/,
  ),
);

let desktop: DesktopState = {
  settings: { tray: true, keep_in_tray: false, palette_key: "Control+Alt+KeyW" },
  tray_missing: null,
  key: { unavailable: null, refused: null },
};
let scene = "";
/** What acts changed in answers, by their command. */
let changes: Record<string, (answer: never) => unknown> = {};

/** What the desktop can do, for tests. */
export function setDesktop(state: DesktopState): void {
  desktop = state;
}

/** A folder over the window, or dropped on it, for tests. */
export function drag(type: "enter" | "drop", path: string): Promise<void> {
  return emit(`tauri://drag-${type}`, { paths: [path], position: { x: 5, y: 5 } });
}

/** Answers every command from the recordings, beginning with a scene. */
export function installRecorded(begin: Scene = "full"): void {
  mockWindows("main");
  scene = ["full", "indexing", "slow"].includes(begin) ? "" : begin;
  changes = {};
  if (begin === "indexing") index(DEMO);
  mockIPC(
    async (command, payload) => {
      if (begin === "slow") await new Promise((resolve) => setTimeout(resolve, 60_000));
      return answer(command, (payload ?? {}) as Given);
    },
    { shouldMockEvents: true },
  );
}

function answer(command: string, given: Given): unknown {
  if (ofShell[command]) return ofShell[command](given);
  const acted = act(command, given);
  if (acted !== undefined) return acted;
  const found = recordingOf(command, given);
  if (!found && QUIET.has(command)) return null;
  if (!found) throw neverAsked(command, given);
  if (found.error) throw found.error;
  const isOfBefore = (found.in ?? "") !== scene;
  if (found.leads_to) scene = found.leads_to;
  const said = asOfNow(isOfBefore ? withoutLooks(found.answer) : found.answer);
  return changes[command]?.(said as never) ?? said;
}

/** Acts whose outcome is what was given, or known of every recording. */
function act(command: string, given: Given): unknown {
  const change = <T>(of: string, by: (answer: T) => unknown) => {
    const before = changes[of] ?? ((same: T) => same);
    changes[of] = (answer: never) => by(before(answer) as T);
  };
  const repos = (by: (repos: RepoSummary[]) => RepoSummary[]) => change("repos", by);
  switch (command) {
    case "set_settings":
      change("settings", () => given.settings);
      return given.settings;
    case "set_watching":
      repos((all) =>
        all.map((one) =>
          one.id === given.id ? { ...one, watching: given.watching === true } : one,
        ),
      );
      return null;
    case "start_index":
      return index(String(given.id));
    case "cancel_job":
      return end("cancelled");
  }
}

let stop = () => {};

/** Makes an index as a real one was told of, step by step. */
function index(repo: string): string {
  const told = recordingOf("events", {}, "indexing")?.answer as (JobProgress & { type: string })[];
  const steps = told.map((one) => ({ ...one, repo }));
  let at = 0;
  changes.jobs = () => [steps[at]];
  changes.repos = (all: RepoSummary[]) =>
    all.map((one) => (one.id === repo ? { ...one, state: "indexing" } : one));
  const timer = setInterval(() => {
    at += 1;
    void emit("engine-notice", steps[at]);
    if (at === steps.length - 1) stop();
  }, STEP_MS);
  stop = () => {
    clearInterval(timer);
    delete changes.repos;
  };
  return steps[0]?.job_id ?? "";
}

function end(state: JobProgress["state"]): null {
  stop();
  const [job] = (changes.jobs?.([] as never) ?? []) as JobProgress[];
  changes.jobs = () => (job ? [{ ...job, state }] : []);
  void emit("engine-notice", { type: "progress", ...job, state });
  return null;
}

/** The recording with the same arguments, here or in the scenes before; else the nearest. */
function recordingOf(command: string, given: Given, of = scene): Recording | undefined {
  const all = recordings.get(command) ?? [];
  const scenes = [of];
  for (let at = cameFrom.get(of); at !== undefined; at = cameFrom.get(at)) scenes.push(at);
  const wanted = JSON.stringify(sorted(given));
  for (const name of scenes) {
    const here = all.filter((one) => (one.in ?? "") === name);
    const same = here.find((one) => JSON.stringify(sorted(one.given)) === wanted);
    if (same) return same;
  }
  if (import.meta.env.VITE_LOG_UNRECORDED)
    console.info(`UNRECORDED ${JSON.stringify({ command, in: of || undefined, given })}`);
  // What an act changed is told by what was asked after it.
  const near = scenes.map((name) => all.filter((one) => (one.in ?? "") === name));
  const ofRepository = near.map((here) =>
    here.filter((one) => repositoryIn(one.given) === repositoryIn(given)),
  );
  const latest = ofRepository.find((here) => here.length > 0) ?? [];
  return latest.toSorted((a, b) => alike(b.given, given) - alike(a.given, given))[0];
}

function repositoryIn(given: Given): unknown {
  const id = typeof given.id === "string" ? given.id : undefined;
  return given.repo ?? id ?? (given.request as Given | undefined)?.repo;
}

/** How alike two values are: fields that are the same, and shares of texts that begin alike, which count twice. */
function alike(one: unknown, other: unknown): number {
  if (typeof one === "string" && typeof other === "string") {
    let at = 0;
    while (at < one.length && one[at] === other[at]) at += 1;
    return (2 * at) / Math.max(one.length, other.length, 1);
  }
  if (one === other) return 1;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return 0;
  const keys = Object.keys(one);
  return keys.reduce((sum, key) => sum + alike((one as Given)[key], (other as Given)[key]), 0);
}

function neverAsked(command: string, given: Given): EngineFailure {
  const call = JSON.stringify({ command, given });
  return {
    code: "never-asked",
    message: `nothing is recorded of ${call}`,
    hint: "add it to ui/src/ipc/recorded, and record",
  };
}

/** What was said in a scene before, without the looks at the files of then: two states in turn would have the
 * window ask again without end. */
function withoutLooks(answer: unknown): unknown {
  const hasLooks = typeof answer === "object" && answer && "looks" in answer;
  return hasLooks ? { ...answer, looks: [] } : answer;
}

/** A copy of an answer; the moment of the recording is now. */
function asOfNow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asOfNow);
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asOfNow(one)]));
  if (value === MOMENT_MS) return Date.now();
  return value === MOMENT_MS / 1000 ? Date.now() / 1000 : value;
}

/** The same with its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!value || typeof value !== "object") return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}
