// What is chosen stays in sight when the pane around it grows or shrinks; who has scrolled away from it stays there.

import { type RefObject, useEffect, useRef } from "react";

/** One size may follow another before what was brought back is drawn: it is brought back once more at the end. */
const SETTLED_MS = 150;

/** From the top of what is scrolled. */
export interface Reach {
  top: number;
  bottom: number;
}

export function useKeptInSight(
  box: RefObject<HTMLElement | null>,
  /** Where it lies; `null` where nothing is chosen. */
  reachOf: () => Reach | null,
  reveal: () => void,
): void {
  const told = useRef({ reachOf, reveal });
  told.current = { reachOf, reveal };
  useEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    let seen = sightOf(element);
    let settling: number | undefined;
    const look = () => {
      const now = sightOf(element);
      // A pane that grows or shrinks may be scrolled by that, before its size is told.
      if (now.width === seen.width && now.height === seen.height) seen = now;
    };
    const observer = new ResizeObserver(() => {
      const before = seen;
      seen = sightOf(element);
      if (seen.width === before.width && seen.height === before.height) return;
      const reach = told.current.reachOf();
      if (!reach) return;
      const wasSeen = reach.bottom > before.top && reach.top < before.top + before.height;
      if (!wasSeen && settling === undefined) return;
      told.current.reveal();
      clearTimeout(settling);
      settling = window.setTimeout(() => {
        settling = undefined;
        told.current.reveal();
      }, SETTLED_MS);
    });
    element.addEventListener("scroll", look, { passive: true });
    observer.observe(element);
    return () => {
      clearTimeout(settling);
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [box]);
}

/** A list whose rows have one height: its chosen row is in sight when it is chosen, and stays so. */
export function useRowInSight(
  box: RefObject<HTMLElement | null>,
  /** Below 0 none is chosen. */
  at: number,
  rowPx: number,
): void {
  useEffect(() => rowIntoSight(box.current, at, rowPx), [box, at, rowPx]);
  useKeptRow(box, at, rowPx);
}

/** The same of a list that moves by itself where another row is chosen. */
export function useKeptRow(box: RefObject<HTMLElement | null>, at: number, rowPx: number): void {
  useKeptInSight(
    box,
    () => (at < 0 ? null : { top: at * rowPx, bottom: (at + 1) * rowPx }),
    () => rowIntoSight(box.current, at, rowPx),
  );
}

export function rowIntoSight(list: HTMLElement | null, at: number, rowPx: number): void {
  if (at >= 0) intoSight(list, { top: at * rowPx, bottom: (at + 1) * rowPx });
}

/** By the size that the pane has now: who draws its rows may still know the one before. */
export function intoSight(pane: HTMLElement | null, { top, bottom }: Reach): void {
  if (!pane) return;
  if (top < pane.scrollTop) pane.scrollTop = top;
  const below = bottom - pane.clientHeight;
  if (pane.clientHeight > 0 && below > pane.scrollTop) pane.scrollTop = below;
}

function sightOf({ scrollTop, clientWidth, clientHeight }: HTMLElement) {
  return { top: scrollTop, width: clientWidth, height: clientHeight };
}
