// Which repositories a question goes to: the chosen one, a workspace, or all.

import { type ScopeChoice, useScopeChoices } from "../ipc";
import { navigate } from "./route";
import { type Session, scopeChosen, session } from "./session";

/** What is asked, and what else could be. `scope` is `undefined` for the chosen repository alone. */
export function useScope() {
  const now = session.use();
  const { data: choices = NONE, isLoading } = useScopeChoices(now.repo);
  const name = scopeChosen(now);
  return { scope: scopeOf(choices, name), choices, isLoading: isLoading && name !== "" };
}

const NONE: ScopeChoice[] = [];

/** The choice of a name; with `null` the default of the chosen repository. */
export function scopeOf(choices: ScopeChoice[], name: string | null): ScopeChoice | undefined {
  return choices.find((one) => (name === null ? one.is_default : one.name === name));
}

/** The repository of a path that begins with one's name, and the path in it. */
export function partOf(scope: ScopeChoice, path: string): { repo: string; path: string } | null {
  const part = scope.repos.find(({ name }) => path.startsWith(`${name}/`));
  return part ? { repo: part.id, path: path.slice(part.name.length + 1) } : null;
}

/** The name of one of its repositories. */
export function nameIn(scope: ScopeChoice, repo: string): string | undefined {
  return scope.repos.find(({ id }) => id === repo)?.name;
}

/** Lines of a file. */
export interface LinesPlace {
  path: string;
  from: number;
  to: number;
}

/** Begins a memo about a place. A memo belongs to one repository: to that in which the place lies. */
export function beginMemo(place: LinesPlace, scope: ScopeChoice | undefined): void {
  const part = scope && partOf(scope, place.path);
  if (part) session.set({ repo: part.repo });
  newMemo({ ...place, path: part?.path ?? place.path });
}

/** Begins a memo about a place of the repository that is chosen. */
export function newMemo({ path, from, to }: LinesPlace): void {
  const params = { new: "1", path, from: String(from), to: String(to) };
  navigate({ view: "memory", params });
}

export function scopeName({ name }: ScopeChoice): string {
  return name === "all" ? "All repositories" : name;
}

/** Asks as a scope from a repository on; "" for it alone. */
export function chooseScope(repo: string, name: string): void {
  session.set({ repo, scope: { of: repo, name } });
}

/** What was asked when a place of one repository was opened, and where. */
let left: { hash: string; repo: string; scope: Session["scope"]; into: string } | null = null;

/** Asks only the repository whose place is opened; [`askAsBefore`] takes that back. */
export function lookInto(repo: string): void {
  const { repo: asked, scope } = session.get();
  left = { hash: location.hash, repo: asked, scope, into: repo };
  chooseScope(repo, "");
}

/** Back at the question from which one looked into a repository, it goes to all of them again, unless
 * another one was chosen meanwhile. */
export function askAsBefore(): void {
  const now = session.get();
  const isBack = left?.hash === location.hash && left.into === now.repo && scopeChosen(now) === "";
  if (left && isBack) session.set({ repo: left.repo, scope: left.scope });
  left = null;
}
