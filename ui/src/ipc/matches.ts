// Lines that answer a question, under their files: those that hold a text, code of a shape, and definitions
// that nothing needs.

import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query";
import type { Answered } from "./ask";
import type * as raw from "./bindings";
import { commands } from "./bindings";
import { keys } from "./hooks";
import { askFresh } from "./looks";
import type { EngineFailure, GrepFile, GrepLine, GrepRequest, GrepResponse } from "./types";

/** A line, and more of it than that it matches. */
export interface MatchLine extends GrepLine {
  /** Its last line; the first where there is one alone. */
  endLine?: number;
  /** What was found of it, in a word, and why. */
  verdict?: { word: string; why: string };
}

export interface MatchFile extends Omit<GrepFile, "lines"> {
  lines: MatchLine[];
}

export interface Matches extends Omit<GrepResponse, "files"> {
  files: MatchFile[];
}

/** What is asked, and which part of the engine answers it. */
export type MatchQuestion =
  | { by: "text"; request: GrepRequest }
  | { by: "shape"; request: Required<raw.AstGrepRequest>; isTests: boolean }
  | { by: "unused"; request: Required<raw.DeadCodeRequest> };

/** Lines; asked again with whatever makes ranked answers old. */
export function useMatches(question: MatchQuestion, isTyping: boolean): Answered<Matches> {
  return useQuery<Matches, EngineFailure>({
    queryKey: [...keys.search, "matches", question],
    queryFn: ({ client }) => find(client, question, isTyping),
    enabled:
      question.request.repo !== "" && (question.by === "unused" || question.request.pattern !== ""),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

async function find(
  client: QueryClient,
  question: MatchQuestion,
  isTyping: boolean,
): Promise<Matches> {
  if (question.by === "text")
    return askFresh<Matches>(client, commands.grep(question.request, isTyping));
  const began = performance.now();
  const found =
    question.by === "shape" ? await ofShape(client, question) : await unused(client, question);
  return { ...found, elapsed_ms: performance.now() - began };
}

async function ofShape(
  client: QueryClient,
  { request, isTests }: Extract<MatchQuestion, { by: "shape" }>,
): Promise<Matches> {
  try {
    const found = await askFresh<raw.AstGrepResponse>(client, commands.astGrep(request));
    const matches = isTests ? found.matches : found.matches.filter((one) => !one.test);
    const files = underFiles(matches, (one) => ({
      text: { line: one.start_line, text: one.text, matches: [] },
      cut: 0,
      inside: one.enclosing
        ? { name: one.enclosing, start_line: one.start_line, end_line: one.end_line }
        : null,
      endLine: one.end_line,
    }));
    const isAll = found.n_matches === found.matches.length;
    return {
      ...NOTHING,
      files,
      n_lines: isTests ? found.n_matches : matches.length,
      n_files: isTests ? found.n_files : files.length,
      n_searched: found.n_searched,
      stopped: found.note || (isAll ? null : `the first ${found.matches.length} are listed`),
    };
  } catch (error) {
    return withProblem(error as EngineFailure, request.pattern);
  }
}

async function unused(
  client: QueryClient,
  { request }: Extract<MatchQuestion, { by: "unused" }>,
): Promise<Matches> {
  try {
    const found = await askFresh<raw.DeadCodeResponse>(client, commands.deadCode(request));
    const places = found.findings.map((one) => ({ ...one, path: one.symbol.path }));
    const files = underFiles(places, ({ symbol, verdict, reason }) => ({
      text: { line: symbol.name_line, text: symbol.signature, matches: nameIn(symbol) },
      cut: 0,
      inside: null,
      endLine: symbol.end_line,
      verdict: { word: verdict, why: reason },
    }));
    return {
      ...NOTHING,
      files,
      n_lines: places.length,
      n_files: files.length,
      n_searched: found.n_checked,
      stopped: found.by_name_only || notListed(found),
    };
  } catch (error) {
    return withProblem(error as EngineFailure, request.path);
  }
}

/** What nothing here uses and users of the package may: it is never called dead. */
function notListed({ n_exported_unused: n }: raw.DeadCodeResponse): string | null {
  if (n === 0) return null;
  return `${n} more are exported: nothing here uses them, others may (kind:exported-unused)`;
}

function nameIn({ name, signature }: raw.SymbolLine): [number, number][] {
  const start = signature.indexOf(name);
  return start < 0 ? [] : [[start, start + name.length]];
}

/** In the order in which files come first. */
function underFiles<Place extends { path: string }>(
  places: Place[],
  lineOf: (place: Place) => MatchLine,
): MatchFile[] {
  const files = new Map<string, MatchFile>();
  for (const place of places) {
    const { path } = place;
    const file = files.get(path) ?? { path, badges: [], n_lines: 0, lines: [] };
    file.lines.push(lineOf(place));
    file.n_lines += 1;
    files.set(path, file);
  }
  return [...files.values()];
}

/** A pattern that is no code, or a folder that is not there: said where it is written, not in place of everything. */
function withProblem(error: EngineFailure, pattern: string): Matches {
  if (error.code !== "bad-argument") throw error;
  const message = error.hint ? `${error.message}; ${error.hint}` : error.message;
  return { ...NOTHING, problem: { message, start: 0, end: pattern.length } };
}

const NOTHING: Matches = {
  files: [],
  n_lines: 0,
  n_files: 0,
  n_searched: 0,
  case_counts: true,
  stopped: null,
  problem: null,
  facets: [],
  elapsed_ms: 0,
};
