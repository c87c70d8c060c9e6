// Which repository a place lies in, where several were searched as one.

import type { RepoSummary } from "../ipc";

/** The id of the repository that a place names, among several of one name by its folder; `chosen` where
 * it names none. */
export function repositoryOf(
  place: { repo?: string | null } | undefined,
  chosen: string,
  repos: Pick<RepoSummary, "id" | "name" | "root">[],
): string {
  const named = place?.repo;
  if (!named) return chosen;
  const isNamed = ({ id, name, root }: (typeof repos)[number]) => {
    const parent = root.split(/[\\/]/).at(-2) ?? "";
    return [name, `${name}@${parent}`, `${name}@${id}`].includes(named);
  };
  return repos.find(isNamed)?.id ?? chosen;
}

/** A path with the name of its repository before it, where there is one. */
export function pathOf({ repo, path }: { repo?: string | null; path: string }): string {
  return repo ? `${repo}/${path}` : path;
}
