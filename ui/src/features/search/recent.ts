// Queries that led somewhere, newest first; kept on this machine.

import { type SearchQuery, storedQueries } from "../../app/search-query";

const KEY = "whyrank.recent";
const KEPT = 12;

export function recentQueries(): SearchQuery[] {
  try {
    return storedQueries(JSON.parse(localStorage.getItem(KEY) ?? "[]"));
  } catch {
    return [];
  }
}

/** What was typed on the way to a longer query is no query of its own. */
export function rememberQuery(query: SearchQuery): void {
  const text = query.text.trim();
  if (text === "") return;
  const isOther = (one: SearchQuery) => one.mode !== query.mode || !text.startsWith(one.text);
  const others = recentQueries().filter(isOther);
  localStorage.setItem(KEY, JSON.stringify([{ ...query, text }, ...others].slice(0, KEPT)));
}
