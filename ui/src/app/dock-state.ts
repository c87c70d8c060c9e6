// The dock beside the code: whether it is open, with which lens, and of what.

import { useEffect, useMemo } from "react";
import { isBelow, useBelow, useNarrow } from "../components/useNarrow";
import { lensOf } from "./lenses";
import { useOpened } from "./opened";
import { preferences } from "./preferences";
import type { Selection } from "./selection";
import { createStore } from "./store";

/** Below it the dock takes the place of the code, until it is closed again. */
const BESIDE_PX = 1180;
/** Below it the code beside an open dock has no room for more than its text. */
const ROOMY_PX = 1500;

const dock = createStore<{ selection: Selection | null; isOver: boolean }>({
  selection: null,
  isOver: false,
});

export interface DockState {
  /** It lies in the place of the code. */
  isOver: boolean;
  /** It lies beside the code. */
  isBeside: boolean;
  lens: string;
}

export function useDock(): DockState {
  const { dock: isWanted, lens } = preferences.use();
  const { isOver } = dock.use();
  const isNarrow = useBelow(BESIDE_PX);
  return { isOver: isNarrow && isOver, isBeside: !isNarrow && isWanted, lens };
}

/** Whether the code has so little room that what is around it gives way. */
export function useTight(): boolean {
  const { isBeside } = useDock();
  const isSmall = useBelow(ROOMY_PX);
  return useNarrow() || (isBeside && isSmall);
}

export function isDockOpen(): boolean {
  return isBelow(BESIDE_PX) ? dock.get().isOver : preferences.get().dock;
}

export function setDock(isOpen: boolean): void {
  if (isBelow(BESIDE_PX)) dock.set({ isOver: isOpen });
  else preferences.set({ dock: isOpen });
}

export const toggleDock = () => setDock(!isDockOpen());

export function showLens(lens: string): void {
  preferences.set({ lens });
  setDock(true);
}

/** The key of a lens shows it; once it is shown, the same key fills the window with it. */
export function pressLens(lens: string): void {
  if (isDockOpen() && lensOf(preferences.get().lens).id === lens) fillWindow();
  else showLens(lens);
}

export function fillWindow(): void {
  const { selection } = dock.get();
  if (selection) lensOf(preferences.get().lens).fill?.(selection);
}

/** Says what is chosen in Code: a place that is open there, else what is chosen in the list. */
export function useSelect(chosen: Selection | undefined): void {
  const opened = useOpened();
  const { repo, path, line, endLine } = opened ?? NOWHERE;
  const isOpened = opened !== null;
  const place = useMemo(
    (): Selection => ({
      ...{ repo, path, line, endLine: endLine ?? line },
      ...{ asOf: null, symbol: null, hit: null, queryId: null },
    }),
    [repo, path, line, endLine],
  );
  const selection = isOpened ? place : (chosen ?? null);
  useEffect(() => dock.set({ selection }), [selection]);
}

const NOWHERE = { repo: "", path: "", line: 1, endLine: 1 };

export const useSelection = () => dock.use().selection;

/** Leads the keys into the dock. */
export function focusDock(): void {
  document.querySelector<HTMLElement>(".dock [role=tab][aria-selected=true]")?.focus();
}
