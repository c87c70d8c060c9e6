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

export function rememberQuery(text: string): void {
  const query = text.trim();
  if (query === "") return;
  const others = recentQueries().filter((one) => one !== query);
  localStorage.setItem(KEY, JSON.stringify([query, ...others].slice(0, KEPT)));
}
