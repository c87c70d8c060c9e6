// Parts of the window in chunks of their own: the first screen comes with the start, the rest once it
// is painted.

import { preloadCode } from "../components/CodeView";
import { Chunk } from "../components/chunk";
import { LENSES } from "./lenses";
import { VIEWS, type View } from "./route";

const SCREENS: Record<View, Chunk<object>> = {
  repositories: new Chunk(() =>
    import("../features/repositories/RepositoriesView").then((it) => it.RepositoriesView),
  ),
  search: new Chunk(() => import("../features/search/SearchView").then((it) => it.SearchView)),
  explain: new Chunk(() => import("../features/explain/ExplainView").then((it) => it.ExplainView)),
  graph: new Chunk(() => import("../features/graph/GraphView").then((it) => it.GraphView)),
  changes: new Chunk(() => import("../features/changes/ChangesView").then((it) => it.ChangesView)),
  memory: new Chunk(() => import("../features/memory/MemoryView").then((it) => it.MemoryView)),
  agents: new Chunk(() => import("../features/agents/AgentsView").then((it) => it.AgentsView)),
  benchmark: new Chunk(() =>
    import("../features/benchmark/BenchmarkView").then((it) => it.BenchmarkView),
  ),
  settings: new Chunk(() =>
    import("../features/settings/SettingsView").then((it) => it.SettingsView),
  ),
};

const PALETTE = new Chunk(() => import("./Palette").then((it) => it.Palette));
const SHORTCUTS = new Chunk(() => import("./ShortcutSheet").then((it) => it.ShortcutSheet));

const DRAWER = new Chunk(() => import("./StatusDrawer").then((it) => it.StatusDrawer));

export const screenOf = (view: View) => SCREENS[view].part();
export const palette = () => PALETTE.part();
export const shortcutSheet = () => SHORTCUTS.part();
export const statusDrawer = () => DRAWER.part();

/** How long the first screen has the processor to itself. */
const FIRST_SCREEN_MS = 400;

/** Fetches every chunk that is not here yet, one after the other, while nothing else is to do and the
 *  window is there. */
export async function preloadScreens(signal: AbortSignal): Promise<void> {
  const screens = VIEWS.map((view) => SCREENS[view]);
  const lenses = LENSES.map(({ chunk }) => chunk);
  const parts = [{ load: preloadCode }, PALETTE, SHORTCUTS, DRAWER, ...screens, ...lenses];
  await new Promise((resolve) => setTimeout(resolve, FIRST_SCREEN_MS));
  for (const part of parts) {
    if (signal.aborted) return;
    await part.load();
    await new Promise<void>((resolve) => whenIdle(resolve));
  }
}

/** WebKit has no idle callback. */
function whenIdle(then: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(then, { timeout: 500 });
  else setTimeout(then, 50);
}
