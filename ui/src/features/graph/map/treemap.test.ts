import { expect, it } from "vitest";
import type { MapFile } from "../../../ipc";
import { nextTile } from "./moves";
import { squarified, type Tile, treemap } from "./treemap";

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

const boxes = (tiles: readonly Tile[]) => new Map(tiles.map((tile) => [tile.path, tile]));

it("puts what is added beside the largest file of its folder, and moves nothing else", () => {
  const own = new Set(FILES.map(({ path }) => path));
  const before = boxes(treemap(FILES, SIZE));
  const added = [file("src/a/x/three.rs", 0.2), file("src/a/x/more/four.rs", 0.1)];
  const after = boxes(treemap([...FILES, ...added], SIZE, own));
  for (const [path, tile] of before)
    if (path !== "src/a/x/one.rs") expect(after.get(path), path).toEqual(tile);
  const [was, host] = [before.get("src/a/x/one.rs"), after.get("src/a/x/one.rs")];
  expect([host?.x, host?.y]).toEqual([was?.x, was?.y]);
  const area = (tile?: Tile) => (tile ? tile.width * tile.height : 0);
  const came = after.get("src/a/x/three.rs");
  const folder = after.get("src/a/x/more");
  expect(area(came)).toBeGreaterThan(area(folder));
  expect(area(host) + area(came) + area(folder)).toBeCloseTo(area(was));
});

it("gives a folder that is added a strip of its own; the others keep their places to each other", () => {
  const own = new Set(FILES.map(({ path }) => path));
  const before = treemap(FILES, SIZE);
  const tests = ["a", "b", "c"].map((name) => file(`tests/${name}.rs`, 2));
  const after = treemap([...FILES, ...tests], SIZE, own);
  expect(after.slice(0, before.length).map(({ path }) => path)).toEqual(
    before.map(({ path }) => path),
  );
  const strip = boxes(after).get("tests");
  expect(strip).toMatchObject({ x: 360, y: 0, height: 400 });
  for (const tile of after.slice(0, before.length))
    expect(tile.x + tile.width).toBeLessThanOrEqual(360.01);
});

it("walks to the nearest file in a direction", () => {
  const tiles = treemap([file("a.rs", 1), file("b.rs", 0.3), file("c.rs", 0.1)], SIZE);
  const [a] = tiles;
  expect(nextTile(tiles, undefined, "ArrowRight")).toBe(a);
  const right = nextTile(tiles, a, "ArrowRight");
  expect(right?.x).toBeGreaterThan(a?.x ?? 0);
  expect(nextTile(tiles, right, "ArrowLeft")).toBe(a);
});
