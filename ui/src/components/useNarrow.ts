// Whether the window is too narrow for all that a wide one shows side by side; a larger zoom makes it so.

import { useSyncExternalStore } from "react";

/** Below it facets are folded, and actions lie in a menu. */
const NARROW = "(max-width: 1099px)";

export function useNarrow(): boolean {
  return useSyncExternalStore(listen, () => isNarrow);
}

// One query for all that ask, so that no part of the window is drawn narrow beside one that is still wide.
const media = window.matchMedia?.(NARROW);
const listeners = new Set<() => void>();
let isNarrow = media?.matches ?? false;

media?.addEventListener?.("change", ({ matches }) => {
  isNarrow = matches;
  for (const changed of listeners) changed();
});

function listen(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
