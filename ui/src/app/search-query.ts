// What the search box asks: the text, how it is read, and whether case counts.

export const MODES = ["ranked", "exact", "regex", "shape", "unused"] as const;
export type SearchMode = (typeof MODES)[number];

export interface SearchQuery {
  text: string;
  mode: SearchMode;
  /** In the exact and regex modes: case counts even without a capital letter. */
  matchCase: boolean;
}

export const asRanked = (text: string): SearchQuery => ({ text, mode: "ranked", matchCase: false });

/** The parameters of a route, and back. What is usual is left out. */
export function queryParams(query: SearchQuery): Record<string, string> {
  const { text, mode, matchCase } = query;
  if (mode === "ranked") return { q: text };
  return { q: text, mode, ...(matchCase && { case: "1" }) };
}

export function queryOf(params: Record<string, string>): SearchQuery {
  const mode = MODES.find((known) => known === params.mode) ?? "ranked";
  return { text: params.q ?? "", mode, matchCase: mode !== "ranked" && params.case === "1" };
}

export function isSameQuery(one: SearchQuery, other: SearchQuery): boolean {
  return queryKey(one) === queryKey(other);
}

/** A name for a query; that of a ranked one is its text, as it was before there were others. */
export function queryKey(query: SearchQuery): string {
  const { mode, matchCase } = query;
  const text = query.text.trim();
  return mode === "ranked" ? text : `${mode}${matchCase ? "+case" : ""}:${text}`;
}

/** Queries that were stored, also by a version that knew texts alone. */
export function storedQueries(stored: unknown): SearchQuery[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one) => {
    if (typeof one === "string") return [asRanked(one)];
    if (typeof one?.text !== "string") return [];
    return [queryOf({ q: one.text, mode: one.mode, case: one.matchCase === true ? "1" : "" })];
  });
}

/** The same question of another revision, which the box writes as a filter. */
export function atRevision(query: SearchQuery, revision: string | null): SearchQuery {
  const bare = query.text.replace(/(^|\s)at:\S+/g, "").trim();
  return { ...query, text: revision ? `${bare} at:${revision}`.trimStart() : bare };
}
