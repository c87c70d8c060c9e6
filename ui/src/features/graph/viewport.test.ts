import { describe, expect, it } from "vitest";
import {
  bounded,
  fitted,
  LEAST_SCALE,
  MOST_SCALE,
  type Point,
  pinch,
  reveal,
  type Viewport,
  wheelFactor,
  zoomAt,
} from "./viewport";

const pane = { width: 600, height: 400 };
const seen = (view: Viewport, at: Point) => ({
  x: at.x * view.scale + view.x,
  y: at.y * view.scale + view.y,
});

describe("fit", () => {
  it("shows a large drawing whole, in the middle", () => {
    const view = fitted({ width: 2400, height: 800 }, pane);
    const start = seen(view, { x: 0, y: 0 });
    const end = seen(view, { x: 2400, y: 800 });
    expect(start.x).toBeGreaterThanOrEqual(0);
    expect(end.x).toBeLessThanOrEqual(pane.width);
    expect(start.x).toBeCloseTo(pane.width - end.x);
    expect(start.y).toBeCloseTo(pane.height - end.y);
  });

  it("does not blow a small drawing up", () => {
    expect(fitted({ width: 100, height: 40 }, pane).scale).toBe(1);
  });

  it("keeps a positive scale for a pane without a size", () => {
    expect(fitted({ width: 100, height: 40 }, { width: 0, height: 0 }).scale).toBe(LEAST_SCALE);
  });
});

describe("zoom", () => {
  it("keeps what is under the pointer", () => {
    const view = { scale: 0.7, x: -40, y: 12 };
    const pointer = { x: 210, y: 90 };
    const inDrawing = { x: (210 + 40) / 0.7, y: (90 - 12) / 0.7 };
    const after = seen(zoomAt(view, pointer, 1.6), inDrawing);
    expect(after.x).toBeCloseTo(pointer.x);
    expect(after.y).toBeCloseTo(pointer.y);
  });

  it("stops at its ends without drifting", () => {
    let view: Viewport = { scale: 1, x: 0, y: 0 };
    for (let turn = 0; turn < 60; turn += 1) view = zoomAt(view, { x: 100, y: 100 }, 1.4);
    expect(view.scale).toBe(MOST_SCALE);
    expect(zoomAt(view, { x: 100, y: 100 }, 1.4)).toEqual(view);
  });

  it("comes back when the wheel turns back, and bounds a wild wheel", () => {
    expect(wheelFactor(53, false) * wheelFactor(-53, false)).toBeCloseTo(1);
    expect(wheelFactor(9000, false)).toBe(wheelFactor(120, false));
  });

  it("follows two fingers that move apart and aside", () => {
    const view = pinch(
      { scale: 1, x: 0, y: 0 },
      [
        { x: 100, y: 100 },
        { x: 200, y: 100 },
      ],
      [
        { x: 110, y: 120 },
        { x: 310, y: 120 },
      ],
    );
    expect(view.scale).toBe(2);
    expect(seen(view, { x: 100, y: 100 })).toEqual({ x: 110, y: 120 });
    expect(seen(view, { x: 200, y: 100 })).toEqual({ x: 310, y: 120 });
  });
});

describe("moving", () => {
  it("never loses the drawing", () => {
    const drawing = { width: 300, height: 300 };
    const lost = bounded({ scale: 1, x: 5000, y: -5000 }, drawing, pane);
    expect(lost.x).toBeLessThan(pane.width);
    expect(lost.y + drawing.height).toBeGreaterThan(0);
  });

  it("moves only as far as a box needs", () => {
    const view = { scale: 1, x: 0, y: 0 };
    const box = { x: 100, y: 100, width: 80, height: 30 };
    expect(reveal(view, box, pane)).toBe(view);
    const moved = reveal(view, { ...box, x: 900 }, pane);
    expect(moved.y).toBe(0);
    expect(moved.x + 980).toBeLessThanOrEqual(pane.width);
    expect(moved.x + 900).toBeGreaterThan(0);
  });
});
