// The line of a snippet that says most, and its words painted where they stand alone.

import type { SnippetLine } from "../../ipc";

/** The line that holds most of the query's words, the first of equals, without its indent. */
export function bestLine(snippet: readonly SnippetLine[]): SnippetLine | undefined {
  const [first, ...rest] = snippet;
  if (!first) return undefined;
  const best = rest.reduce((so, one) => (one.matches.length > so.matches.length ? one : so), first);
  const indent = Math.max(0, best.text.search(/\S/));
  return {
    ...best,
    text: best.text.slice(indent).trimEnd(),
    matches: best.matches.map(([start, end]) => [start - indent, end - indent] as [number, number]),
  };
}

export interface Painted {
  start: number;
  text: string;
  /** A class of the editor's colours; none for plain text. */
  paint?: "string" | "comment" | "number" | "keyword" | "function";
}

const KEYWORDS = new Set(
  `abstract as assert async await begin bool break case catch class const continue def default defer
  del do elif else end enum except export extends extern false final finally fn for foreach from func
  function go goto if impl implements import in instanceof int interface internal is lambda let
  loop match module mut namespace new nil none None not null operator or override package pass priv
  private protected protocol pub public raise readonly require return self Self static string struct
  super switch template this throw throws trait true True False try type typedef typeof union unless
  unsafe until use using val var virtual void where while with yield`.split(/\s+/),
);

const TOKEN =
  /("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`?)|(\/\/.*|^#(?!\w).*|\s#\s.*|\/\*.*|^\*(?:\s.*)?)|(\b\d[\w.]*)|([\p{L}_$][\p{L}\p{N}_$]*)/gu;

/** A line of code in parts. It knows no language: what the preview shows is what a parser found. */
export function paintLine(text: string): Painted[] {
  const parts: Painted[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, comment, number, word] = match;
    const end = match.index + whole.length;
    const paint = string
      ? "string"
      : comment
        ? "comment"
        : number
          ? "number"
          : wordPaint(word ?? "", text[end]);
    if (!paint) continue;
    if (match.index > at) parts.push({ start: at, text: text.slice(at, match.index) });
    parts.push({ start: match.index, text: whole, paint });
    at = end;
  }
  if (at < text.length) parts.push({ start: at, text: text.slice(at) });
  return parts;
}

function wordPaint(word: string, next: string | undefined): Painted["paint"] {
  if (KEYWORDS.has(word)) return "keyword";
  return next === "(" ? "function" : undefined;
}
