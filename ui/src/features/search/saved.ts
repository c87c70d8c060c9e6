// Searches that were starred; they stay until the star is taken back.

import { preferences } from "../../app/preferences";
import { isSameQuery, type SearchQuery } from "../../app/search-query";

export function useSavedSearches(): SearchQuery[] {
  return preferences.use().searches;
}

/** Stars a search, or takes the star back. */
export function toggleSaved(query: SearchQuery): void {
  if (query.text.trim() === "") return;
  const { searches } = preferences.get();
  const others = searches.filter((one) => !isSameQuery(one, query));
  const starred = { ...query, text: query.text.trim() };
  preferences.set({ searches: others.length < searches.length ? others : [starred, ...searches] });
}
