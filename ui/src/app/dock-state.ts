// The dock beside the code: whether it is open, with which lens, and of what.

import { useEffect, useMemo } from "react";
import { isBelow, useBelow, useNarrow } from "../components/useNarrow";
import { type SymbolLine, usePreview } from "../ipc";
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
  /** There is no room for it: its lenses are names at the edge of the code. */
  isFolded: boolean;
  lens: string;
}

export function useDock(): DockState {
  const { dock: isWanted, lens } = preferences.use();
  const { isOver, selection } = dock.use();
  const isNarrow = useBelow(BESIDE_PX);
  return {
    isOver: isNarrow && isOver,
    // What was opened in place of the code is beside it once there is room.
    isBeside: !isNarrow && (isWanted || isOver),
    isFolded: isNarrow && isWanted && !isOver && selection !== null,
    lens,
  };
}

/** Whether the code has so little room that what is around it gives way. */
export function useTight(): boolean {
  const { isBeside } = useDock();
  const isSmall = useBelow(ROOMY_PX);
  return useNarrow() || (isBeside && isSmall);
}

export function isDockOpen(): boolean {
  const { isOver } = dock.get();
  return isOver || (!isBelow(BESIDE_PX) && preferences.get().dock);
}

export function setDock(isOpen: boolean): void {
  const isNarrow = isBelow(BESIDE_PX);
  if (isNarrow || !isOpen) dock.set({ isOver: isOpen });
  if (!isNarrow) preferences.set({ dock: isOpen });
}

export const toggleDock = () => setDock(!isDockOpen());

export function showLens(lens: string): void {
  preferences.set({ lens });
  setDock(true);
}

/** The key of a lens shows it; once it is shown, the same key fills the window with it. */
export function pressLens(lens: string): void {
  if (!hasSelection()) return;
  if (isDockOpen() && lensOf(preferences.get().lens).id === lens) fillWindow();
  else showLens(lens);
}

export function fillWindow(): void {
  const { selection } = dock.get();
  if (selection) lensOf(preferences.get().lens).fill?.(selection);
}

/** Says what is chosen in Code: a place that is open there, else what is chosen in the list. */
export function useSelect(chosen: Selection | undefined): void {
  const opened = useOpenedSelection();
  const selection = opened ?? chosen ?? null;
  useEffect(() => dock.set({ selection }), [selection]);
  useEffect(() => () => dock.set({ selection: null }), []);
}

/** A place that no search found, with the definition around it. */
function useOpenedSelection(): Selection | null {
  const opened = useOpened();
  const isOpened = opened !== null;
  const { repo, path, line, endLine } = opened ?? NOWHERE;
  const { data: file } = usePreview(repo, isOpened ? path : undefined);
  const symbol = file?.path === path ? definitionAt(file.symbols, line) : null;
  return useMemo(() => {
    if (!isOpened) return null;
    const place = { repo, path, line, endLine: endLine ?? line, symbol };
    return { ...place, asOf: null, hit: null, queryId: null };
  }, [isOpened, repo, path, line, endLine, symbol]);
}

/** The innermost definition that has a line. */
export function definitionAt(symbols: readonly SymbolLine[], line: number): string | null {
  const around = symbols.filter((one) => one.start_line <= line && line <= one.end_line);
  const inner = around.reduce<SymbolLine | undefined>(
    (so, one) => (!so || one.start_line >= so.start_line ? one : so),
    undefined,
  );
  return inner?.qualified ?? null;
}

const NOWHERE = { repo: "", path: "", line: 1, endLine: 1 };

export const hasSelection = () => dock.get().selection !== null;

export const useSelection = () => dock.use().selection;

/** Leads the keys into the dock. */
export function focusDock(): void {
  document.querySelector<HTMLElement>(".dock [role=tab][aria-selected=true]")?.focus();
}
