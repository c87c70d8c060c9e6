// The keys of search: the list, the preview and what can be done with the chosen hit.

import { useEffect, useRef } from "react";
import { hasMod, inTextField } from "../../app/platform-keys";
import { toggleBlame } from "./PreviewActions";

/** Hears the screen's keys, wherever the focus is, save in a text field; before the frame does (`useKeys`). */
export function useSearchKeys(keys: {
  box: React.RefObject<HTMLInputElement | null>;
  list: React.RefObject<HTMLDivElement | null>;
  onMove: (by: number) => void;
  onExplain: () => void;
  onGraph: () => void;
  onMemo: () => void;
  onCopy: () => void;
  onEditor: () => void;
}) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { box, onMove, onExplain, onGraph, onMemo, onCopy, onEditor } = latest.current;
      if (event.defaultPrevented || document.querySelector(".scrim")) return;
      if (inTextField(event) || event.altKey) return;
      const selecting = !window.getSelection()?.isCollapsed;
      if (hasMod(event)) {
        if (event.key === "Enter") onExplain();
        else if (event.key === "c" && !selecting) onCopy();
        else return;
      } else if (event.key === "/") {
        box.current?.focus();
        box.current?.select();
      } else if (event.key === "Escape" && inCode(event)) latest.current.list.current?.focus();
      else if (event.key === "Escape" && inList(event)) box.current?.focus();
      else if (inCode(event) && ["j", "k"].includes(event.key)) return;
      else if (event.key === "j" || (event.key === "ArrowDown" && inList(event))) onMove(1);
      else if (event.key === "k" || (event.key === "ArrowUp" && inList(event))) onMove(-1);
      else if (event.key === "e") onExplain();
      else if (event.key === "g") onGraph();
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

function focusPreview(): void {
  document.querySelector<HTMLElement>(".preview .cm-content")?.focus({ preventScroll: true });
}
