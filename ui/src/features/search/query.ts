// The query box's language: words, inline filters `path: file: lang: kind: -tests`, `at:` a revision, and
// `tune:` what the settings do not say, `in:` other repositories: their names, `all`, or a workspace.

import type { SearchMode } from "../../app/search-query";
import type { SearchFilters } from "../../ipc";

export type FilterName = "path" | "file" | "lang" | "kind" | "tests" | "at" | "tune" | "in";

/** Filters by what a hit is or where it lies. */
export type FacetName = Exclude<FilterName, "tests" | "at" | "tune" | "in">;

export interface FilterToken {
  name: FilterName;
  value: string;
  /** As it stands in the text. */
  token: string;
}

export interface ParsedQuery {
  /** The words without the filters. */
  text: string;
  filters: SearchFilters;
  /** The revision that is searched; `null` for the working tree. */
  at: string | null;
  /** The repositories that are searched as one, as they are named; none for the chosen one alone. */
  repos: string[];
  tokens: FilterToken[];
}

const NAMES: Record<string, FilterName> = {
  path: "path",
  file: "file",
  lang: "lang",
  language: "lang",
  kind: "kind",
  at: "at",
  tune: "tune",
  in: "in",
};

/** What git takes for a revision, roughly: `v1.2.0`, `main`, `HEAD~3`, `4f2a91c`. */
const REVISION = /^[\w][\w./~^@{}-]*$/;

/** Names of repositories and workspaces, with commas. */
const REPOSITORIES = /^[\w][\w. @,-]*$/;

/** What may be a filter in a pattern: there, quotes are the pattern's own. */
const FILTER = /(?<!\S)(?:-tests?|-?[a-z]+:(?:[^\s"]|"[^"]*")+)(?!\S)/gi;

/** Splits a text into words and filters; `-path:` excludes, quotes keep spaces together. */
export function parseQuery(text: string, mode: SearchMode = "ranked"): ParsedQuery {
  if (mode !== "ranked") return parsePattern(text);
  // A pasted issue: its line breaks tell title, prose and code apart, and a `path:` in it is no filter.
  if (text.trim().includes("\n"))
    return { text, filters: asFilters([]), at: null, repos: [], tokens: [] };
  const words: string[] = [];
  const tokens: FilterToken[] = [];
  for (const token of text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []) {
    const filter = asFilter(token);
    if (filter) tokens.push(filter);
    else words.push(token);
  }
  const at = tokens.findLast((token) => token.name === "at")?.value ?? null;
  return { text: words.join(" "), filters: asFilters(tokens), at, repos: namedIn(tokens), tokens };
}

/** A pattern keeps its spaces and quotes; only its filters are taken out. */
function parsePattern(text: string): ParsedQuery {
  const found = (text.match(FILTER) ?? []).flatMap((token) => asFilter(token) ?? []);
  // Lines are looked for in one repository.
  const tokens = found.filter((token) => token.name !== "in");
  const pattern = tokens.reduce((rest, { token }) => removeFilter(rest, token), text);
  const at = tokens.findLast((token) => token.name === "at")?.value ?? null;
  return { text: pattern.trim(), filters: asFilters(tokens), at, repos: [], tokens };
}

const namedIn = (tokens: FilterToken[]) =>
  tokens.filter((token) => token.name === "in").flatMap((token) => token.value.split(","));

/** The text for another revision, or for the working tree. */
export function withRevision(
  text: string,
  revision: string | null,
  mode: SearchMode = "ranked",
): string {
  const old = parseQuery(text, mode).tokens.filter((token) => token.name === "at");
  const bare = old.reduce((rest, { token }) => removeFilter(rest, token), text);
  return revision ? `${bare.trimEnd()} at:${revision}`.trimStart() : bare;
}

/** The text with one filter added, or the same text when it is there already. */
export function addFilter(
  text: string,
  name: FacetName,
  value: string,
  mode: SearchMode = "ranked",
): string {
  const token = `${name}:${/\s/.test(value) ? `"${value}"` : value}`;
  const { tokens } = parseQuery(text, mode);
  if (tokens.some((kept) => kept.name === name && kept.value === value)) return text;
  return `${text.trimEnd()} ${token}`.trimStart();
}

/** The text with one filter more, or without it where it is there already. */
export function toggleFilter(
  text: string,
  name: FacetName,
  value: string,
  mode: SearchMode = "ranked",
): string {
  const isIt = (one: FilterToken) =>
    one.name === name && (one.value === value || one.value.toLowerCase() === value.toLowerCase());
  const there = parseQuery(text, mode).tokens.filter(isIt);
  if (there.length === 0) return addFilter(text, name, value, mode);
  return there.reduce((rest, { token }) => removeFilter(rest, token), text);
}

/** The text without one filter. */
export function removeFilter(text: string, token: string): string {
  const at = ` ${text.replace(/\s/g, " ")} `.indexOf(` ${token} `);
  if (at < 0) return text;
  const [before, after] = [text.slice(0, at).trimEnd(), text.slice(at + token.length).trimStart()];
  return before && after ? `${before} ${after}` : before || after;
}

function asFilter(token: string): FilterToken | null {
  if (token === "-tests" || token === "-test") return { name: "tests", value: "excluded", token };
  const match = /^(-?)([a-z]+):(.+)$/i.exec(token);
  const name = NAMES[match?.[2]?.toLowerCase() ?? ""];
  const value = match?.[3]?.replaceAll('"', "");
  if (!match || !name || !value) return null;
  if (name === "at" && !REVISION.test(value)) return null;
  if (name === "in" && (match[1] === "-" || !REPOSITORIES.test(value))) return null;
  if (match[1] === "-") return name === "path" ? { name, value: `!${value}`, token } : null;
  return { name, value, token };
}

function asFilters(tokens: FilterToken[]): SearchFilters {
  const of = (name: FilterName) =>
    tokens.filter((token) => token.name === name).map((token) => token.value);
  return {
    paths: [...of("path").flatMap(asGlobs), ...of("file").map(asItself)],
    languages: of("lang").map((value) => value.toLowerCase()),
    kinds: of("kind").map((value) => value.toLowerCase()),
    no_tests: of("tests").length > 0,
  };
}

/** One file and no other, whatever its name holds. */
const asItself = (path: string) => path.replace(/[*?[{}]/g, "[$&]");

/** A bare word matches any part of the path, a folder all below it; a glob stays as written. */
function asGlobs(value: string): string[] {
  const negation = value.startsWith("!") ? "!" : "";
  const bare = value.slice(negation.length);
  if (/[*?[{]/.test(bare)) return [value];
  const globs = bare.endsWith("/") ? [`**/${bare}**`] : [`**/*${bare}*`, `**/*${bare}*/**`];
  return globs.map((glob) => negation + glob);
}
