import { expect, it } from "vitest";
import type { MapFile } from "../../../ipc";
import { nextTile } from "./moves";
import { squarified, treemap } from "./treemap";

const file = (path: string, share: number): MapFile => ({
  path,
  rank: 1,
  n_lines: 500 * share,
  n_importers: 1,
  language: "rust",
  cluster: 1,
});
const FILES = [file("src/a/x/one.rs", 1), file("src/a/x/two.rs", 0.2), file("src/b.rs", 0.5)];
const SIZE = { width: 600, height: 400 };

it("gives each file an area by its value, all of them inside", () => {
  const boxes = squarified([{ value: 6 }, { value: 3 }, { value: 1 }], { x: 0, y: 0, ...SIZE });
  const areas = boxes.map(([, box]) => Math.round((box.width * box.height) / 24_000));
  expect(areas).toEqual([6, 3, 1]);
  for (const tile of treemap(FILES, SIZE)) {
    expect(tile.x).toBeGreaterThanOrEqual(0);
    expect(tile.x + tile.width).toBeLessThanOrEqual(SIZE.width + 0.01);
    expect(tile.y + tile.height).toBeLessThanOrEqual(SIZE.height + 0.01);
  }
});

it("sizes files by their lines, whatever their importance", () => {
  const [long, short] = [file("long.rs", 1), { ...file("short.rs", 0.5), rank: 9 }];
  const areas = treemap([short, long], SIZE).map(({ name, width, height }) => [
    name,
    Math.round((width * height) / 1_000),
  ]);
  expect(areas).toEqual([
    ["long.rs", 160],
    ["short.rs", 80],
  ]);
});

it("joins a folder with the only folder in it, and draws folders before what they hold", () => {
  const tiles = treemap(FILES, SIZE);
  expect(tiles.map((tile) => tile.name)).toEqual(["src", "a/x", "one.rs", "two.rs", "b.rs"]);
  expect(tiles.map((tile) => tile.depth)).toEqual([0, 1, 2, 2, 1]);
});

it("walks to the nearest file in a direction", () => {
  const tiles = treemap([file("a.rs", 1), file("b.rs", 0.3), file("c.rs", 0.1)], SIZE);
  const [a] = tiles;
  expect(nextTile(tiles, undefined, "ArrowRight")).toBe(a);
  const right = nextTile(tiles, a, "ArrowRight");
  expect(right?.x).toBeGreaterThan(a?.x ?? 0);
  expect(nextTile(tiles, right, "ArrowLeft")).toBe(a);
});
