// A search as the box says it, and how hits are told apart.

import type { SearchQuery } from "../../app/search-query";
import type { Hit, MatchQuestion, SearchRequest } from "../../ipc";
import { parseQuery } from "./query";

/** More lines than anyone reads; the engine says how many more there are. */
const MOST_LINES = 2000;

/** `scope`: what is asked where the text names no repositories, and not the repository alone. */
export function asRequest(
  repo: string,
  text: string,
  limit: number,
  scope?: string,
): SearchRequest {
  const parsed = parseQuery(text);
  return {
    repo,
    repos: parsed.repos.length > 0 || !scope ? parsed.repos : [scope],
    query: parsed.text,
    limit,
    filters: parsed.filters,
    as_of: parsed.at,
    weights: null,
    tune: parsed.tokens
      .filter((token) => token.name === "tune")
      .flatMap((token) => token.value.split(",")),
    // Nothing is open in an editor where the window asks.
    current_file: null,
    // Of one file that was asked for, all that fits.
    distinct_files: !parsed.tokens.some((token) => token.name === "file"),
    // What is in the box is asked while it is typed.
    prefix: true,
  };
}

/** What is looked for by lines, as the box says it. */
export function asMatchQuestion(repo: string, query: SearchQuery): MatchQuestion {
  const { mode, matchCase } = query;
  const { text: pattern, filters, at: as_of } = parseQuery(query.text, mode);
  const common = { repo, as_of };
  if (mode === "shape") {
    const [language = ""] = filters.languages;
    const request = { ...common, pattern, language, paths: filters.paths, limit: MOST_LINES };
    return { by: "shape", request, isTests: !filters.no_tests };
  }
  if (mode === "unused") {
    const [path = ""] = filters.paths;
    // What a repository commits of its own runs keeps nothing alive here.
    const request = { ...common, path, kinds: filters.kinds, coverage: ["none"] };
    return { by: "unused", request: { ...request, symbols: [], tests: false } };
  }
  const request = { ...common, pattern, regex: mode === "regex", match_case: matchCase };
  return { by: "text", request: { ...request, filters, limit: MOST_LINES } };
}

/** The same question, however many of its hits are asked for. */
export function sameRequest(one: SearchRequest, other: SearchRequest): boolean {
  return JSON.stringify({ ...one, limit: 0 }) === JSON.stringify({ ...other, limit: 0 });
}

/** Names for the hits of an answer that the same hits bear in the next one, also where lines above them came
 * or went: the definition, or the lines where there is none, and which of several it is. */
export function keysOf(hits: readonly Hit[]): string[] {
  const seen = new Map<string, number>();
  return hits.map((hit) => {
    const key = `${hit.repo ?? ""} ${hit.path} ${hit.symbol ?? hit.start_line}`;
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return `${key} ${nth}`;
  });
}

export function reference(hit: { path: string; start_line: number }): string {
  return `${hit.path}:${hit.start_line}`;
}
