// Whether the window is too narrow for all that a wide one shows side by side; a larger zoom makes it so.

import { useSyncExternalStore } from "react";

/** One query for all that ask, so that no part of the window is drawn narrow beside one that is still wide. */
class Width {
  readonly #listeners = new Set<() => void>();
  #isBelow: boolean;

  constructor(px: number) {
    const media = window.matchMedia?.(`(max-width: ${px - 1}px)`);
    this.#isBelow = media?.matches ?? false;
    media?.addEventListener?.("change", ({ matches }) => {
      this.#isBelow = matches;
      for (const changed of this.#listeners) changed();
    });
  }

  readonly isBelow = () => this.#isBelow;

  readonly listen = (changed: () => void) => {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  };
}

const widths = new Map<number, Width>();

function widthOf(px: number): Width {
  const known = widths.get(px) ?? new Width(px);
  widths.set(px, known);
  return known;
}

export const isBelow = (px: number) => widthOf(px).isBelow();

export function useBelow(px: number): boolean {
  const width = widthOf(px);
  return useSyncExternalStore(width.listen, width.isBelow);
}

/** Below it facets are folded, and actions lie in a menu. */
export const useNarrow = () => useBelow(1100);
