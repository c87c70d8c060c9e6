// Queries that led somewhere, newest first; kept on this machine.

const KEY = "whyrank.recent";
const KEPT = 12;

export function recentQueries(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** What was typed on the way to a longer query is no query of its own. */
export function rememberQuery(text: string): void {
  const query = text.trim();
  if (query === "") return;
  const others = recentQueries().filter((one) => !query.startsWith(one));
  localStorage.setItem(KEY, JSON.stringify([query, ...others].slice(0, KEPT)));
}
