// What part of the drawing is in sight: zoom and pan, and nothing else.

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** A point of the drawing at `p` is seen at `p * scale + (x, y)`. */
export interface Viewport extends Point {
  scale: number;
}

export const LEAST_SCALE = 0.1;
export const MOST_SCALE = 3;
const MARGIN = 24;
/** How much of the drawing stays in sight, however far it is moved. */
const KEPT = 48;

/** The whole drawing, centred; never larger than life. */
export function fitted(drawing: Size, pane: Size): Viewport {
  const wanted = Math.min(
    (pane.width - 2 * MARGIN) / Math.max(1, drawing.width),
    (pane.height - 2 * MARGIN) / Math.max(1, drawing.height),
    1,
  );
  return centred(centreOf(drawing), pane, clampScale(wanted));
}

/** A point of the drawing in the middle of the pane. */
export function centred(at: Point, pane: Size, scale: number): Viewport {
  return { scale, x: pane.width / 2 - at.x * scale, y: pane.height / 2 - at.y * scale };
}

/** Zooms by a factor; the point of the pane at `at` keeps what it shows. */
export function zoomAt(view: Viewport, at: Point, factor: number): Viewport {
  const scale = clampScale(view.scale * factor);
  const ratio = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/** The factor of a turn of the wheel. Pinches come as small turns with Ctrl, and count for more. */
export function wheelFactor(delta: number, isPinch: boolean): number {
  return Math.exp((-clamp(delta, -120, 120) * (isPinch ? 10 : 2)) / 1000);
}

/** Two fingers that were at `before` and are at `after`. */
export function pinch(view: Viewport, before: [Point, Point], after: [Point, Point]): Viewport {
  const from = middle(before);
  const to = middle(after);
  const factor = distance(after) / Math.max(1, distance(before));
  const zoomed = zoomAt(view, from, factor);
  return { ...zoomed, x: zoomed.x + to.x - from.x, y: zoomed.y + to.y - from.y };
}

export function panned(view: Viewport, by: Point): Viewport {
  return { ...view, x: view.x + by.x, y: view.y + by.y };
}

/** The same view, moved no further than some of the drawing is still in sight. */
export function bounded(view: Viewport, drawing: Size, pane: Size): Viewport {
  const x = clamp(view.x, KEPT - drawing.width * view.scale, pane.width - KEPT);
  const y = clamp(view.y, KEPT - drawing.height * view.scale, pane.height - KEPT);
  return { ...view, x, y };
}

/** The same view, moved just as far as a box of the drawing needs to be seen. */
export function reveal(view: Viewport, box: Point & Size, pane: Size): Viewport {
  const x = along(view.x, box.x * view.scale, box.width * view.scale, pane.width);
  const y = along(view.y, box.y * view.scale, box.height * view.scale, pane.height);
  return x === view.x && y === view.y ? view : { ...view, x, y };
}

function along(offset: number, start: number, length: number, pane: number): number {
  const room = Math.min(MARGIN, Math.max(0, (pane - length) / 2));
  if (offset + start < room) return room - start;
  if (offset + start + length > pane - room) return pane - room - start - length;
  return offset;
}

function centreOf({ width, height }: Size): Point {
  return { x: width / 2, y: height / 2 };
}

function middle([a, b]: [Point, Point]): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function distance([a, b]: [Point, Point]): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function clampScale(scale: number): number {
  return clamp(scale, LEAST_SCALE, MOST_SCALE);
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
