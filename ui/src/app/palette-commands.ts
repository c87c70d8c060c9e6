// What the palette offers: screens, actions and repositories by their words, code by the engine.

import { useCopyLink } from "../components/useCopyLink";
import { namedSuggestion } from "../features/graph/named";
import { focusParams } from "../features/graph/place";
import {
  type RepoSummary,
  type Suggestion,
  useCancelJob,
  useLiveJob,
  usePauseJob,
  useRepos,
  useResumeJob,
  useStartIndex,
  useSuggestions,
} from "../ipc";
import { byUse, storedUses, used } from "./frecency";
import { fitOf } from "./fuzzy";
import { useHitCommands } from "./palette-hits";
import { useSelectionCommands } from "./palette-selection";
import { MOD } from "./platform-keys";
import { preferences } from "./preferences";
import { navigate } from "./route";
import { queryKey, queryParams } from "./search-query";
import { lastRoute, session } from "./session";
import { zoomBy } from "./zoom";

export type Group =
  | "Selection"
  | "Recent"
  | "Saved searches"
  | "Symbols"
  | "Files"
  | "Hits"
  | "Search"
  | "Screens"
  | "Actions"
  | "Repositories";

export interface Command {
  id: string;
  group: Group;
  label: string;
  detail?: string;
  /** Other words that it is found by. */
  also?: string;
  keys?: string;
  run: () => void;
  /** Mod and Enter: for code, its place in the graph. */
  runOther?: () => void;
}

/** What is chosen is acted on before all else. */
const isOfSelection = ({ group }: Command) => group === "Selection";

/** What the engine finds, and the search for what it did not find yet. */
export const isFound = ({ group }: Command) => OF_ENGINE.includes(group);
const OF_ENGINE: readonly Group[] = ["Symbols", "Files", "Hits", "Search"];

const GROUPS: readonly Group[] = [
  "Selection",
  "Saved searches",
  "Screens",
  "Actions",
  "Repositories",
];

/** How much commands are used, by id. */
const KEY = "whyrank.palette";
const MOST_RECENT = 5;

export function rememberCommand({ id }: Command): void {
  const now = Date.now();
  localStorage.setItem(KEY, JSON.stringify(used(uses(now), id, now)));
}

const uses = (now: number) => storedUses(localStorage.getItem(KEY), now);

/** Ids of commands, those used most and lately first. */
function recentIds(): string[] {
  const now = Date.now();
  return byUse(uses(now), now).map(({ id }) => id);
}

/** What fits, in groups: commands that begin with what is typed, then code, then other commands. */
export function useCommands(text: string, onShortcuts: () => void) {
  const { repo } = session.use();
  const { data: repos = [] } = useRepos();
  const typed = text.trim();
  const suggestions = useSuggestions(repo, typed, typed !== "");
  const current = repos.find((one) => one.id === repo);
  const jobs = useJobCommands(repo, current);
  const screens = screenCommands(onShortcuts);
  const copyLink = useCopyLink();
  const explain = useExplainCommand();
  const copy = go("Copy link to this screen", "", () => void copyLink());
  const fixed = byGroup([
    ...useSelectionCommands(),
    ...savedCommands(),
    ...screens,
    ...explain,
    copy,
    ...jobs,
    ...repoCommands(repos, repo),
  ]);
  const code = (suggestions.data ?? []).map(codeCommand);
  const hits = useHitCommands(repo, typed, code);
  if (typed === "") {
    const ofSelection = fixed.filter(isOfSelection);
    const others = fixed.filter((one) => !isOfSelection(one));
    return { commands: [...ofSelection, ...recent(others), ...others], isSettled: true };
  }
  const ids = recentIds();
  const usedBefore = (one: Command) => (ids.includes(one.id) ? ids.indexOf(one.id) : ids.length);
  const named = [...fixed]
    .sort((a, b) => usedBefore(a) - usedBefore(b))
    .map((command) => ({ command, fit: fitOfCommand(typed, command) }))
    .filter((one) => one.fit !== null);
  const of = (isFirst: boolean) =>
    GROUPS.flatMap((group) =>
      named
        .filter(({ command, fit }) => command.group === group && isMeant(command, fit) === isFirst)
        .map((one) => one.command),
    );
  const found = namedFilesFirst(code, typed);
  return {
    commands: [...of(true), ...found, ...of(false), ...hits],
    isSettled: !suggestions.isPlaceholderData && !suggestions.isFetching,
  };
}

/** What begins as typed comes before code; of the selection, what has words that do. */
const isMeant = (command: Command, fit: number | null) =>
  fit === 0 || (fit === 1 && isOfSelection(command));

/** A command fits by its label or by what else it is called. */
function fitOfCommand(typed: string, { label, also = "" }: Command): number | null {
  const fits = [label.replace(/^Go to /, ""), also].map((text) => fitOf(typed, text));
  return fits.reduce((one, other) => (one === null ? other : Math.min(one, other ?? one)), null);
}

/** The same in the order of groups, each under one heading. */
export function byGroup<T extends Pick<Command, "group">>(commands: readonly T[]): T[] {
  return GROUPS.flatMap((group) => commands.filter((command) => command.group === group));
}

/** Who types the name of a file means it, before any symbol that its letters abbreviate. */
export function namedFilesFirst<T extends Pick<Command, "group" | "label">>(
  found: readonly T[],
  typed: string,
): T[] {
  const name = typed.toLowerCase();
  const isNamed = ({ group, label }: T) =>
    group === "Files" && `/${label.toLowerCase()}`.endsWith(`/${name}`);
  if (!found.some(isNamed)) return [...found];
  const ofFiles = found.filter((one) => one.group === "Files");
  return [...ofFiles, ...found.filter((one) => one.group !== "Files")];
}

function recent(fixed: Command[]): Command[] {
  const known = recentIds().flatMap((id) => fixed.find((one) => one.id === id) ?? []);
  return known
    .slice(0, MOST_RECENT)
    .map((one) => ({ ...one, id: `recent:${one.id}`, group: "Recent" }));
}

function savedCommands(): Command[] {
  return preferences.get().searches.map((query) => ({
    id: `saved:${queryKey(query)}`,
    group: "Saved searches",
    label: query.text,
    detail: query.mode === "ranked" ? undefined : query.mode,
    run: () => navigate({ view: "search", params: queryParams(query) }),
  }));
}

/** A symbol or a file opens as code; a query asked before is asked again. */
function codeCommand(one: Suggestion): Command {
  const named = namedSuggestion(one);
  const id = `${one.kind}:${one.text}:${one.path}:${one.line}`;
  if (!named) {
    const run = () => navigate({ view: "search", params: { q: one.text } });
    return { id, group: "Recent", label: one.text, detail: "search again", run };
  }
  const params = focusParams(named);
  return {
    id,
    group: one.kind === "path" ? "Files" : "Symbols",
    label: one.text,
    detail: one.detail,
    run: () => navigate({ view: "graph", params: { ...params, code: "1" } }),
    runOther: () => navigate({ view: "graph", params }),
  };
}

function screenCommands(onShortcuts: () => void): Command[] {
  const { theme, density } = preferences.get();
  const dark = document.documentElement.dataset.theme === "dark";
  return [
    { ...go("Go to code", `${MOD}1`, () => navigate(lastRoute("search"))), also: "search" },
    go("Go to changes", `${MOD}2`, () => navigate({ view: "changes" })),
    go("Go to agents", `${MOD}3`, () => navigate(lastRoute("agents"))),
    go("Go to memory", `${MOD}4`, () => navigate({ view: "memory" })),
    { ...go("Go to measure", `${MOD}5`, () => navigate({ view: "benchmark" })), also: "benchmark" },
    go("Go to settings", `${MOD},`, () => navigate({ view: "settings" })),
    go("Go to repositories", "", () => navigate({ view: "repositories" })),
    { ...go("Go to explain", "", () => navigate({ view: "explain" })), also: "why" },
    { ...go("Go to graph", "", () => navigate(lastRoute("graph"))), also: "map" },
    {
      ...go("Agents live", "", () => navigate({ view: "agents", params: { tab: "live" } })),
      also: "today timeline",
    },
    go("Agent calls", "", () => navigate({ view: "agents", params: { tab: "calls" } })),
    go("New memo", "", () => navigate({ view: "memory", params: { new: "1" } })),
    go("New benchmark run", "", () => navigate({ view: "benchmark", params: { new: "1" } })),
    go("Add repository", "", () => navigate({ view: "repositories", params: { add: "1" } })),
    go(`Use ${dark ? "light" : "dark"} theme`, "", () =>
      preferences.set({ theme: dark ? "light" : "dark" }),
    ),
    ...(theme === "system"
      ? []
      : [go("Use system theme", "", () => preferences.set({ theme: "system" }))]),
    go(density === "compact" ? "Use comfortable rows" : "Use compact rows", "", () =>
      preferences.set({ density: density === "compact" ? "comfortable" : "compact" }),
    ),
    go("Zoom in", `${MOD}+`, () => zoomBy("in")),
    go("Zoom out", `${MOD}−`, () => zoomBy("out")),
    go("Actual size", `${MOD}0`, () => zoomBy("reset")),
    go("Keyboard shortcuts", "?", onShortcuts),
  ];
}

/** Of the last answer, from wherever one is. */
function useExplainCommand(): Command[] {
  const { last } = session.use();
  if (!last) return [];
  return [
    go(`Explain the results of “${last.text}”`, "", () =>
      navigate({ view: "explain", id: last.queryId }),
    ),
  ];
}

function useJobCommands(repo: string, current: RepoSummary | undefined): Command[] {
  const start = useStartIndex();
  const pause = usePauseJob();
  const resume = useResumeJob();
  const cancel = useCancelJob();
  const job = useLiveJob(repo);
  if (!current) return [];
  const health = go(`Health of ${current.name}`, "", () =>
    navigate({ view: "repositories", id: repo }),
  );
  if (job) {
    const hold =
      job.state === "paused"
        ? go("Resume indexing", "", () => resume.mutate(job.job_id))
        : go("Pause indexing", "", () => pause.mutate(job.job_id));
    return [hold, go("Cancel indexing", "", () => cancel.mutate(job.job_id)), health];
  }
  return [
    go(`Update index of ${current.name}`, "", () => start.mutate({ repo })),
    go(`Rebuild index of ${current.name}`, "", () => start.mutate({ repo, rebuild: true })),
    health,
  ];
}

function repoCommands(repos: RepoSummary[], current: string): Command[] {
  return repos
    .filter((repo) => repo.id !== current)
    .map(
      (repo): Command => ({
        id: `repo:${repo.id}`,
        group: "Repositories",
        label: `Switch to ${repo.name}`,
        detail: repo.root,
        run: () => session.set({ repo: repo.id }),
      }),
    );
}

function go(label: string, keys: string, run: () => void): Command {
  return { id: label, group: label.startsWith("Go to ") ? "Screens" : "Actions", label, keys, run };
}
