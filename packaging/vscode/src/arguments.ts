// What the program is asked, as arguments. Text of people and paths never stands where an option could.

export interface Lines {
  path: string;
  /** From 1, inclusive. */
  first: number;
  last: number;
}

/** `beside` the language's own server, or `alone`. */
export function server(mode: string): string[] {
  return mode === "alone" ? ["lsp"] : ["lsp", "--beside"];
}

/** The last word may be the beginning of one: it is searched while it is typed. */
export function search(query: string): string[] {
  return ["search", "--json", "--limit=20", "--prefix", "--", query];
}

export function explain(queryId: string, rank: number): string[] {
  return ["explain", `--hit=${rank}`, "--", queryId];
}

export const status = ["status", "--json"];
export const memos = ["memo", "list", "--json"];
export const review = ["tool", "--json", "review_diff", "{}"];

/** The memo's text comes by standard input. */
export function addMemo({ path, first, last }: Lines): string[] {
  return ["memo", "add", "--json", `--anchor=${path}:${first}-${last}`, "--", "-"];
}

export function index(folder: string): string[] {
  return ["index", "--json", "--", folder];
}
