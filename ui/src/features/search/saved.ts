// Searches that were starred; they stay until the star is taken back.

import { preferences } from "../../app/preferences";

export function useSavedSearches(): string[] {
  return preferences.use().searches;
}

/** Stars a search, or takes the star back. */
export function toggleSaved(text: string): void {
  const query = text.trim();
  if (query === "") return;
  const { searches } = preferences.get();
  const others = searches.filter((one) => one !== query);
  preferences.set({ searches: others.length < searches.length ? others : [query, ...searches] });
}
