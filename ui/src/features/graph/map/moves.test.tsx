import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useMapView } from "./moves";
import type { Tile } from "./treemap";

const tile = { path: "src/a.ts", x: 0, y: 0, width: 40, height: 20, file: 0, depth: 0 } as Tile;

it("zooms by key around the chosen tile, which stays where it is", () => {
  const pane = { current: null };
  const { result } = renderHook(() => useMapView(pane, { width: 800, height: 600 }));
  const corner = () => {
    const { x, y, scale } = result.current.view;
    return [x + tile.x * scale, y + tile.y * scale];
  };
  for (let times = 0; times < 3; times++) act(() => result.current.zoomIn(tile));
  expect(result.current.view.scale).toBeGreaterThan(2);
  const [left = 0, top = 0] = corner();
  expect(left).toBeGreaterThan(-tile.width);
  expect(top).toBeGreaterThan(-tile.height);
  act(() => result.current.zoomIn());
  act(() => result.current.fit());
  expect(result.current.view.scale).toBe(1);
});
