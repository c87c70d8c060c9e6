// One chunk for each screen: the first one comes with the start, the others once it is painted.

import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { preloadCode } from "../components/CodeView";
import { VIEWS, type View } from "./route";

type Screen = ComponentType | LazyExoticComponent<ComponentType>;

const LOAD: Record<View, () => Promise<ComponentType>> = {
  repositories: () =>
    import("../features/repositories/RepositoriesView").then((it) => it.RepositoriesView),
  search: () => import("../features/search/SearchView").then((it) => it.SearchView),
  explain: () => import("../features/explain/ExplainView").then((it) => it.ExplainView),
  graph: () => import("../features/graph/GraphView").then((it) => it.GraphView),
  memory: () => import("../features/memory/MemoryView").then((it) => it.MemoryView),
  agents: () => import("../features/agents/AgentsView").then((it) => it.AgentsView),
  benchmark: () => import("../features/benchmark/BenchmarkView").then((it) => it.BenchmarkView),
  settings: () => import("../features/settings/SettingsView").then((it) => it.SettingsView),
};

const loaded = new Map<View, ComponentType>();

async function load(view: View): Promise<ComponentType> {
  const screen = await LOAD[view]();
  loaded.set(view, screen);
  return screen;
}

/** The screen itself once its chunk is here, so that it is drawn at once and nothing flashes. */
export function screenOf(view: View): Screen {
  return loaded.get(view) ?? lazy(async () => ({ default: await load(view) }));
}

const loadPalette = () => import("./Palette");
const loadSheet = () => import("./ShortcutSheet");
export const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
export const ShortcutSheet = lazy(async () => ({ default: (await loadSheet()).ShortcutSheet }));

/** Fetches every chunk that is not here yet, one after the other, while nothing else is to do. */
export async function preloadScreens(): Promise<void> {
  await Promise.all([loadPalette(), loadSheet()]);
  for (const view of VIEWS) {
    await new Promise<void>((resolve) => whenIdle(resolve));
    if (!loaded.has(view)) await load(view);
  }
  await preloadCode();
}

/** WebKit has no idle callback. */
function whenIdle(then: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(then, { timeout: 500 });
  else setTimeout(then, 50);
}
