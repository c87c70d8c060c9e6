// Zoom and pan of the drawing: wheel, pinch, drag, and where a new drawing begins.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { GraphNode, GraphView } from "../../ipc";
import { centre } from "./geometry";
import { labelRoom } from "./labels";
import {
  bounded,
  fitted,
  type Point,
  panned,
  pinch,
  reveal,
  type Size,
  type Viewport,
  wheelFactor,
  zoomAt,
} from "./viewport";

/** Share of the pane that names may take at its right. */
const MOST_ROOM = 0.25;
const STEP = 1.25;
const DRAG_PX = 4;

export interface Moves {
  viewport: Viewport;
  zoomIn: () => void;
  zoomOut: () => void;
  fitAll: () => void;
  pan: (by: Point) => void;
  show: (node: GraphNode) => void;
  /** Whether the pointer has just moved the drawing: what follows is not a click. */
  wasDragged: () => boolean;
}

export function useViewport(
  pane: RefObject<HTMLElement | null>,
  size: Size,
  view: GraphView,
): Moves {
  const [viewport, setViewport] = useState<Viewport>({ x: 0, y: 0, scale: 1 });
  const known = useRef({ size, view });
  known.current = { size, view };
  const move = useCallback((change: (old: Viewport) => Viewport) => {
    setViewport((old) => bounded(change(old), known.current.view, known.current.size));
  }, []);

  const hold = useBeginnings(view, size, setViewport);
  const touch = useCallback(
    (change: (old: Viewport) => Viewport, held: Hold = "own") => {
      hold.current = held;
      move(change);
    },
    [hold, move],
  );
  useWheel(pane, touch);
  const dragged = useDrag(pane, touch);

  const middle = () => ({ x: size.width / 2, y: size.height / 2 });
  return {
    viewport,
    zoomIn: () => touch((old) => zoomAt(old, middle(), STEP)),
    zoomOut: () => touch((old) => zoomAt(old, middle(), 1 / STEP)),
    fitAll: () => touch(() => wholeOf(view, size), "whole"),
    pan: (by) => touch((old) => panned(old, by)),
    show: (node) => move((old) => reveal(old, node, size)),
    wasDragged: () => dragged.current,
  };
}

/** What is held as the pane grows or shrinks: all of the drawing, or what the person chose. */
type Hold = "whole" | "own";

/** A drawing begins whole. Once it was moved, its focus stays where it is on the screen. */
function useBeginnings(
  view: GraphView,
  size: Size,
  set: (change: (old: Viewport) => Viewport) => void,
) {
  const hold = useRef<Hold>("whole");
  const shown = useRef<{ view: GraphView; size: Size } | null>(null);
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { view, size };
    const isSame = before?.view.focus === view.focus && before?.view.to === view.to;
    if (!isSame) hold.current = "whole";
    set((old) => {
      const [was, is] = [focusOf(before?.view ?? null), focusOf(view)];
      if (hold.current === "whole" || !before || !was || !is) return wholeOf(view, size);
      const [from, to] = [centre(was), centre(is)];
      return panned(old, {
        x: (from.x - to.x) * old.scale + (size.width - before.size.width) / 2,
        y: (from.y - to.y) * old.scale + (size.height - before.size.height) / 2,
      });
    });
  }, [view, size, set]);
  return hold;
}

/** All of the drawing, and room for names that are written larger than it. */
function wholeOf(view: GraphView, size: Size): Viewport {
  const whole = fitted(view, size);
  const room = labelRoom(view, whole.scale);
  if (room === 0) return whole;
  return fitted(view, { ...size, width: size.width - Math.min(room, MOST_ROOM * size.width) });
}

function focusOf(view: GraphView | null): GraphNode | undefined {
  return view?.nodes.find((node) => node.id === view.focus);
}

function useWheel(
  pane: RefObject<HTMLElement | null>,
  move: (change: (old: Viewport) => Viewport) => void,
): void {
  useEffect(() => {
    const element = pane.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const at = inside(element, event);
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
      if (event.shiftKey && !event.ctrlKey) {
        const by = (event.deltaX || event.deltaY) * lines;
        move((old) => panned(old, { x: -by, y: 0 }));
      } else {
        move((old) => zoomAt(old, at, wheelFactor(event.deltaY * lines, event.ctrlKey)));
      }
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [pane, move]);
}

/** One pointer moves the drawing, two pinch it. */
function useDrag(
  pane: RefObject<HTMLElement | null>,
  move: (change: (old: Viewport) => Viewport) => void,
) {
  const dragged = useRef(false);
  useEffect(() => {
    const element = pane.current;
    if (!element) return;
    const pointers = new Map<number, Point>();
    let start: Point = { x: 0, y: 0 };
    const onDown = (event: PointerEvent) => {
      if (event.button !== 0) return;
      if (pointers.size === 0) {
        start = inside(element, event);
        dragged.current = false;
      }
      pointers.set(event.pointerId, inside(element, event));
    };
    const onMove = (event: PointerEvent) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = inside(element, event);
      if (!dragged.current && Math.hypot(now.x - start.x, now.y - start.y) < DRAG_PX) return;
      // Only a drag takes the pointer: a click belongs to the node under it.
      if (!dragged.current) element.setPointerCapture(event.pointerId);
      dragged.current = true;
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, now);
      if (other) move((old) => pinch(old, [before, other], [now, other]));
      else move((old) => panned(old, { x: now.x - before.x, y: now.y - before.y }));
    };
    const onUp = (event: PointerEvent) => pointers.delete(event.pointerId);
    const heard = {
      pointerdown: onDown,
      pointermove: onMove,
      pointerup: onUp,
      pointercancel: onUp,
    };
    for (const [name, act] of Object.entries(heard))
      element.addEventListener(name, act as EventListener);
    return () => {
      for (const [name, act] of Object.entries(heard))
        element.removeEventListener(name, act as EventListener);
    };
  }, [pane, move]);
  return dragged;
}

function inside(element: HTMLElement | null, event: MouseEvent): Point {
  const bounds = element?.getBoundingClientRect();
  return { x: event.clientX - (bounds?.left ?? 0), y: event.clientY - (bounds?.top ?? 0) };
}
