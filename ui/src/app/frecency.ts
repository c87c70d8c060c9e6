// Which commands are used often and lately: every use counts for half after a week.

export interface Use {
  id: string;
  /** Uses, as much as they still counted at `at`. */
  weight: number;
  at: number;
}

const HALF_LIFE_MS = 7 * 24 * 3_600_000;
const MOST_KEPT = 40;

export function weightAt({ weight, at }: Use, now: number): number {
  return weight * 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS);
}

/** The uses with one more, the most used first. */
export function used(uses: readonly Use[], id: string, now: number): Use[] {
  const before = uses.find((use) => use.id === id);
  const weight = 1 + (before ? weightAt(before, now) : 0);
  const all = [{ id, weight, at: now }, ...uses.filter((use) => use.id !== id)];
  return byUse(all, now).slice(0, MOST_KEPT);
}

export function byUse(uses: readonly Use[], now: number): Use[] {
  return [...uses].sort((a, b) => weightAt(b, now) - weightAt(a, now));
}

/** What was stored, also by a version that kept names alone, the newest first. */
export function storedUses(text: string | null, now: number): Use[] {
  try {
    const kept: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(kept)) return [];
    return kept.flatMap((one, at): Use[] => {
      if (typeof one === "string") return [{ id: one, weight: 1 - at / 100, at: now }];
      const { id, weight, at: when } = one ?? {};
      const isUse = typeof id === "string" && Number.isFinite(weight) && Number.isFinite(when);
      return isUse ? [{ id, weight, at: when }] : [];
    });
  } catch {
    return [];
  }
}
