// The keys of search: the list, the preview and what can be done with the chosen hit.

import { useEffect, useRef } from "react";
import {
  fillWindow,
  focusDock,
  hasSelection,
  isDockOpen,
  setDock,
  toggleDock,
} from "../../app/dock-state";
import { lensOfKey } from "../../app/lenses";
import { hasMod, inTextField } from "../../app/platform-keys";
import { toggleBlame } from "./PreviewActions";

/** Hears the screen's keys, wherever the focus is, save in a text field; before the frame does (`useKeys`). */
export function useSearchKeys(keys: {
  box: React.RefObject<HTMLInputElement | null>;
  list: React.RefObject<HTMLDivElement | null>;
  onMove: (by: number) => void;
  onExplain: () => void;
  /** Shows a lens, or fills the window with it. */
  onLens: (lens: string) => void;
  onMemo: () => void;
  onCopy: () => void;
  onEditor: () => void;
}) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { box, list, onMove, onExplain, onLens, onMemo, onCopy, onEditor } = latest.current;
      if (event.defaultPrevented || document.querySelector(".scrim")) return;
      if (inTextField(event) || event.altKey) return;
      const lens = lensOfKey(event.key);
      const selecting = !window.getSelection()?.isCollapsed;
      if (hasMod(event)) {
        if (event.key === "Enter") onExplain();
        else if (event.key === "c" && !selecting) onCopy();
        else return;
      } else if (event.key === "/") {
        box.current?.focus();
        box.current?.select();
      } else if (event.key === "Escape" && inCode(event)) list.current?.focus();
      else if (event.key === "Escape" && inDock(event)) leaveDock(list.current);
      else if (event.key === "Escape" && inList(event)) box.current?.focus();
      else if (inCode(event) && ["j", "k"].includes(event.key)) return;
      else if (event.key === "j" || (event.key === "ArrowDown" && inList(event))) onMove(1);
      else if (event.key === "k" || (event.key === "ArrowUp" && inList(event))) onMove(-1);
      else if (lens) onLens(lens.id);
      else if (event.key === "f") fillWindow();
      else if (event.key === "d" && hasSelection()) toggleDock();
      else if (event.key === "D" && isDockOpen()) focusDock();
      else if (event.key === "m") onMemo();
      else if (event.key === "c") onCopy();
      else if (event.key === "o") onEditor();
      else if (event.key === "b") toggleBlame();
      else if (event.key === "Enter" && inList(event)) focusPreview();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function inList(event: KeyboardEvent): boolean {
  const target = event.target;
  return (
    target instanceof HTMLElement && (target === document.body || !!target.closest(".hit-list"))
  );
}

function inCode(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLElement && !!event.target.closest(".preview");
}

function inDock(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLElement && !!event.target.closest(".dock");
}

/** Back to the list; the dock makes room for the code again where it had taken its place. */
function leaveDock(list: HTMLElement | null): void {
  list?.focus();
  if (!document.querySelector(".preview")) setDock(false);
}

/** Into the code, or into what has its place. */
function focusPreview(): void {
  const code = document.querySelector<HTMLElement>(".preview .cm-content");
  if (code) code.focus({ preventScroll: true });
  else focusDock();
}
