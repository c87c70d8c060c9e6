// Whether the window is too narrow for all that a wide one shows side by side; a larger zoom makes it so.

import { useSyncExternalStore } from "react";

/** Below it facets are folded, and actions lie in a menu. */
const NARROW = "(max-width: 1099px)";

export function useNarrow(): boolean {
  return useSyncExternalStore(listen, isNarrow);
}

function isNarrow(): boolean {
  return window.matchMedia?.(NARROW).matches ?? false;
}

function listen(changed: () => void): () => void {
  const media = window.matchMedia?.(NARROW);
  media?.addEventListener?.("change", changed);
  return () => media?.removeEventListener?.("change", changed);
}
