// Where a call leads: to the reasons of its answer, to the code that it named, else to the answer itself.

import { openCode, placeOf } from "../../../app/opened";
import { navigate } from "../../../app/route";
import { session } from "../../../app/session";
import type { CallLine, RepoSummary } from "../../../ipc";

export type Lead =
  | { kind: "why"; queryId: string }
  | { kind: "symbol"; symbol: string; path?: string; line?: number }
  | { kind: "file"; path: string; line: number; endLine?: number }
  | { kind: "answer" };

export const LEAD_WORDS: Record<Lead["kind"], string> = {
  why: "Why",
  symbol: "Code",
  file: "Code",
  answer: "Answer",
};

export function leadOf({ query_id, error, args }: CallLine): Lead {
  if (query_id) return { kind: "why", queryId: query_id };
  const named = argumentsOf(args);
  const symbol = textIn(named, "symbol") ?? textIn(named, "name");
  const path = textIn(named, "path");
  // What failed named nothing that is there.
  if (error) return { kind: "answer" };
  const line = Number(named.line ?? named.start_line) || 1;
  if (symbol) return { kind: "symbol", symbol, ...(path && { path }), ...(line > 1 && { line }) };
  const place = path && (placeOf(path) ?? (isFile(path) && { path, line }));
  return place ? { kind: "file", ...place } : { kind: "answer" };
}

/** Goes there. A call is of the repository that was asked; of the chosen one where that is not known. */
export function follow(call: CallLine, repos: readonly RepoSummary[]): void {
  const lead = leadOf(call);
  const repo = repoOf(call, repos) ?? session.get().repo;
  if (lead.kind === "why") {
    navigate({ view: "explain", id: lead.queryId, params: { row: "#1" } });
  } else if (lead.kind === "file") {
    openCode({ repo, path: lead.path, line: lead.line, endLine: lead.endLine });
  } else if (lead.kind === "symbol") {
    if (repo !== session.get().repo) session.set({ repo });
    const line = lead.line ? String(lead.line) : "";
    const params = { symbol: lead.symbol, path: lead.path ?? "", line, code: "1" };
    navigate({ view: "graph", params });
  } else showAnswer(call);
}

export function showAnswer({ id }: CallLine): void {
  navigate({ view: "agents", params: { tab: "calls", call: String(id) } });
}

/** The repository that was asked; of calls that older versions kept, the one that a call names by id, name or root. */
export function repoOf(
  { repo, args }: CallLine,
  repos: readonly RepoSummary[],
): string | undefined {
  if (repo) return repos.find(({ id }) => id === repo)?.id;
  const asked = textIn(argumentsOf(args), "repo");
  return repos.find(({ id, name, root }) => [id, name, root].includes(asked ?? ""))?.id;
}

function argumentsOf(args: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(args);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function textIn(named: Record<string, unknown>, key: string): string | undefined {
  const value = named[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

const isFile = (path: string) => /\.\w+$/.test(path);
