// The route lives in the URL hash: `#/search?q=router`, `#/explain/q-81f2`. Back and forward work.

import { useSyncExternalStore } from "react";

export const VIEWS = [
  "repositories",
  "search",
  "explain",
  "graph",
  "changes",
  "memory",
  "agents",
  "benchmark",
  "settings",
] as const;
export type View = (typeof VIEWS)[number];

/** The places of the rail, in the order of their keys. */
export const PLACES = ["search", "changes", "agents", "memory", "benchmark"] as const;
export type Place = (typeof PLACES)[number];

/** The place that a view belongs to: Explain and Graph are lenses of Code that fill the window. */
export function placeOf(view: View): Place | null {
  if (view === "explain" || view === "graph") return "search";
  return PLACES.find((place) => place === view) ?? null;
}

export interface Route {
  view: View;
  /** What the view shows, where it shows one thing: a query id, a repository. */
  id?: string;
  params: Record<string, string>;
}

export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [name, id] = path.split("/", 2);
  const view = VIEWS.find((known) => known === name) ?? "repositories";
  const params = Object.fromEntries(new URLSearchParams(search));
  return id ? { view, id: decodeURIComponent(id), params } : { view, params };
}

export function formatRoute(route: { view: View; id?: string; params?: Record<string, string> }) {
  const id = route.id ? `/${encodeURIComponent(route.id)}` : "";
  const kept = Object.entries(route.params ?? {}).filter(([, value]) => value !== "");
  const search = kept.length > 0 ? `?${new URLSearchParams(kept)}` : "";
  return `#/${route.view}${id}${search}`;
}

const listeners = new Set<() => void>();
const announce = () => {
  for (const listener of listeners) listener();
};

export function navigate(
  route: { view: View; id?: string; params?: Record<string, string> },
  options: { replace?: boolean } = {},
): void {
  const hash = formatRoute(route);
  if (hash === location.hash) return;
  if (options.replace) history.replaceState({ depth: depth() }, "", hash);
  else history.pushState({ depth: depth() + 1 }, "", hash);
  announce();
}

/** Changes the address of what a view shows, in place; whoever has gone to another view meanwhile stays there. */
export function amend(route: Parameters<typeof navigate>[0]): void {
  if (currentRoute().view === route.view) navigate(route, { replace: true });
}

/** One step back, where there is one within the window. */
export function goBack(): boolean {
  if (depth() === 0) return false;
  history.back();
  return true;
}

/** Steps from where the window began. */
function depth(): number {
  return Number(history.state?.depth ?? 0);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener("popstate", announce);
    window.addEventListener("hashchange", announce);
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let parsed = { hash: "", route: parseRoute("") };

export function currentRoute(): Route {
  if (parsed.hash !== location.hash)
    parsed = { hash: location.hash, route: parseRoute(location.hash) };
  return parsed.route;
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, currentRoute);
}

/** Opens the graph at a definition, or at its file where it is none. */
export function showInGraph(found: {
  symbol: string | null;
  path: string;
  start_line: number;
}): void {
  const { symbol, path, start_line } = found;
  const params: Record<string, string> = symbol
    ? { symbol, path, line: String(start_line) }
    : { path };
  navigate({ view: "graph", params });
}
