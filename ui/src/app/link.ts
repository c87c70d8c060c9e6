// `whyrank://` links: a screen and a repository. One that comes from outside is data: only known
// screens and their harmless parameters are read out of it, and only registered repositories open.

import { parseRoute, type Route, VIEWS, type View } from "./route";

/** What a link may set, by screen: what is shown, never what is done. */
const PARAMS: Record<View, readonly string[]> = {
  repositories: [],
  search: ["q", "mode", "case"],
  explain: ["row"],
  graph: [
    ...["symbol", "path", "line", "to_symbol", "to_path", "to_line"],
    ...["radius", "direction", "kinds", "open", "node", "code"],
    ...["over", "session", "base", "file"],
  ],
  changes: ["base", "row"],
  memory: ["memo"],
  agents: ["tab", "session", "call"],
  benchmark: ["tab", "against"],
  settings: [],
};

const SCHEME = "whyrank://";

interface Known {
  id: string;
  name: string;
}

export interface OpenedLink {
  route: Route;
  /** The repository that it is about; nothing where it names none. */
  repo: { id: string; name: string } | null;
}

/** The link to a screen of a repository. */
export function linkTo({ view, id, params }: Route, repo: Known | undefined): string {
  const isShown = ([name, value]: [string, string]) => value !== "" && PARAMS[view].includes(name);
  const kept = Object.entries(params).filter(isShown);
  const search = new URLSearchParams(kept);
  if (repo) search.set("repo", repo.id);
  if (repo) search.set("name", repo.name);
  const path = id ? `/${encodeURIComponent(id)}` : "";
  // What a command line would take apart stays in one piece.
  const text = search.toString().replace(/[^\x21-\x7e]/g, encodeURIComponent);
  return `${SCHEME}${view}${path}${text && `?${text}`}`;
}

/** What a link asks for, or nothing where it is none of ours. */
export function readLink(text: string): OpenedLink | null {
  if (!text.startsWith(SCHEME)) return null;
  try {
    // Browsers put a slash behind the first part.
    const rest = text.slice(SCHEME.length).replace(/^([a-z]+)\/(?=\?|$)/, "$1");
    const [name = ""] = rest.split(/[/?]/, 1);
    const view = VIEWS.find((known) => known === name);
    if (!view) return null;
    const { id, params } = parseRoute(`#/${rest}`);
    const kept = Object.entries(params).filter(([name]) => PARAMS[view].includes(name));
    const route: Route = { view, params: Object.fromEntries(kept), ...(id && { id }) };
    const repo = params.repo ? { id: params.repo, name: params.name ?? "" } : null;
    // A screen of repositories by id opens the one that is meant, under whatever id it has here.
    if (view === "repositories") route.id = undefined;
    return { route, repo };
  } catch {
    return null;
  }
}

/** The registered repository that a link means: by its id, else the only one of its name. */
export function repoOf(repo: Known, known: readonly Known[]): Known | undefined {
  const named = known.filter((one) => one.name === repo.name);
  return known.find((one) => one.id === repo.id) ?? (named.length === 1 ? named[0] : undefined);
}
