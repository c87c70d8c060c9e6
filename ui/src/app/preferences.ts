// How the window looks; kept in the webview's storage and applied to the root element.

import { type SearchQuery, storedQueries } from "./search-query";
import { createStore } from "./store";

export type Theme = "system" | "light" | "dark";
export type Density = "comfortable" | "compact";

interface Preferences {
  theme: Theme;
  density: Density;
  /** Id of the editor that files are opened in; the first that is installed where there is none. */
  editor: string | null;
  /** Whether the preview says who wrote each line. */
  blame: boolean;
  /** Whether the end of long work is told while the window is not in front. */
  notify: boolean;
  /** How large the page is drawn; 1 as it was made. */
  zoom: number;
  /** Whether a new version is looked for daily. */
  updates: boolean;
  /** Whether the dock stands beside the code, where there is room. */
  dock: boolean;
  /** Whether the definitions of a file stand beside its code, where there is room. */
  outline: boolean;
  /** The lens that the dock shows. */
  lens: string;
  /** Searches that were starred, newest first. */
  searches: SearchQuery[];
}

const KEY = "whyrank.preferences";
const FIRST: Preferences = {
  theme: "system",
  density: "comfortable",
  editor: null,
  blame: false,
  notify: true,
  zoom: 1,
  updates: false,
  dock: true,
  outline: false,
  lens: "why",
  searches: [],
};

export const preferences = createStore<Preferences>(stored(), (value) => {
  localStorage.setItem(KEY, JSON.stringify(value));
  applyPreferences();
});

/** Sets theme and density on the root element, and follows the system's theme. */
export function applyPreferences(): void {
  const { theme, density } = preferences.get();
  const dark = theme === "dark" || (theme === "system" && systemIsDark().matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.documentElement.dataset.density = density;
}

export function followSystemTheme(): void {
  systemIsDark().addEventListener("change", applyPreferences);
}

const systemIsDark = () => window.matchMedia("(prefers-color-scheme: dark)");

function stored(): Preferences {
  try {
    const kept = { ...FIRST, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
    return { ...kept, searches: storedQueries(kept.searches) };
  } catch {
    return FIRST;
  }
}
