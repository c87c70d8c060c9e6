// What part of the map is in sight, and how wheel, mouse and keys change it.

import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { type Point, panned, type Size, type Viewport, wheelFactor } from "../viewport";
import type { Tile } from "./treemap";

const WHOLE: Viewport = { scale: 1, x: 0, y: 0 };
const MOST = 12;
const STEP = 1.4;
/** A press that moves less is a click. */
const CLICK_PX = 4;

/** Zooms around a point of the pane; the map always fills the pane. */
export function zoomed(view: Viewport, at: Point, factor: number, size: Size): Viewport {
  const scale = Math.min(MOST, Math.max(1, view.scale * factor));
  const ratio = scale / view.scale;
  const next = { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
  return filled(next, size);
}

function filled(view: Viewport, size: Size): Viewport {
  const least = { x: size.width * (1 - view.scale), y: size.height * (1 - view.scale) };
  return {
    ...view,
    x: Math.min(0, Math.max(least.x, view.x)),
    y: Math.min(0, Math.max(least.y, view.y)),
  };
}

export function useMapView(pane: RefObject<HTMLElement | null>, size: Size) {
  const [view, setView] = useState(WHOLE);
  const drag = useRef<{ from: Point; isFar: boolean } | null>(null);
  const wasDragged = useRef(false);
  const middle = { x: size.width / 2, y: size.height / 2 };
  const zoom = (factor: number, at = middle) => setView((old) => zoomed(old, at, factor, size));
  useEffect(() => {
    const element = pane.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element?.getBoundingClientRect();
      const at = { x: event.clientX - (box?.x ?? 0), y: event.clientY - (box?.y ?? 0) };
      setView((old) => zoomed(old, at, wheelFactor(event.deltaY, event.ctrlKey), size));
    };
    // Not passive: the page must not scroll along.
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [pane, size]);
  return {
    view,
    /** Around a tile, which stays in sight, or the middle of the pane. */
    zoomIn: (tile?: Tile) => zoom(STEP, tile && placed(tile, view)),
    zoomOut: (tile?: Tile) => zoom(1 / STEP, tile && placed(tile, view)),
    fit: () => setView(WHOLE),
    /** Moves a tile into sight that is not. */
    reveal: (tile: Tile) =>
      setView((old) => {
        const { x, y } = placed(tile, old);
        const isSeen = x > 0 && y > 0 && x < size.width && y < size.height;
        const by = { x: middle.x - x, y: middle.y - y };
        return isSeen ? old : filled(panned(old, by), size);
      }),
    /** Zooms so that a tile fills most of the pane. */
    show: (tile: Tile) => {
      const fit = 0.9 * Math.min(size.width / tile.width, size.height / tile.height);
      const scale = Math.min(MOST, Math.max(1, fit));
      const x = middle.x - (tile.x + tile.width / 2) * scale;
      const y = middle.y - (tile.y + tile.height / 2) * scale;
      setView(filled({ scale, x, y }, size));
    },
    wasDragged: () => wasDragged.current,
    pointer: {
      onPointerDown: (event: PointerEvent) => {
        drag.current = { from: { x: event.clientX, y: event.clientY }, isFar: false };
        wasDragged.current = false;
      },
      onPointerMove: (event: PointerEvent) => {
        const held = drag.current;
        if (!held || event.buttons === 0) return;
        const by = { x: event.clientX - held.from.x, y: event.clientY - held.from.y };
        if (!held.isFar && Math.hypot(by.x, by.y) < CLICK_PX) return;
        wasDragged.current = true;
        drag.current = { from: { x: event.clientX, y: event.clientY }, isFar: true };
        setView((old) => filled(panned(old, by), size));
      },
      onPointerUp: () => {
        drag.current = null;
      },
    },
  };
}

const DIRECTIONS: Record<string, [dx: number, dy: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export const isArrow = (key: string) => key in DIRECTIONS;

/** The file that an arrow key leads to; the first one where none is chosen. */
export function nextTile(
  tiles: readonly Tile[],
  from: Tile | undefined,
  key: string,
): Tile | undefined {
  const files = tiles.filter((tile) => tile.file !== null);
  const [dx, dy] = DIRECTIONS[key] ?? [0, 0];
  if (!from) return files.find((tile) => tile.file === 0) ?? files[0];
  const centre = middleOf(from);
  let best: { tile: Tile; cost: number } | undefined;
  for (const tile of files) {
    const to = middleOf(tile);
    const along = (to.x - centre.x) * dx + (to.y - centre.y) * dy;
    const aside = Math.abs((to.x - centre.x) * dy) + Math.abs((to.y - centre.y) * dx);
    const cost = along + 2 * aside;
    if (tile !== from && along > 1 && (!best || cost < best.cost)) best = { tile, cost };
  }
  return best?.tile ?? from;
}

/** Where the middle of a tile is on the pane. */
function placed(tile: Tile, { x, y, scale }: Viewport): Point {
  const at = middleOf(tile);
  return { x: at.x * scale + x, y: at.y * scale + y };
}

export function middleOf(tile: Tile): Point {
  return { x: tile.x + tile.width / 2, y: tile.y + tile.height / 2 };
}
