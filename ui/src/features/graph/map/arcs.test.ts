import { expect, it } from "vitest";
import type { RepositoryMap } from "../../../ipc";
import { arcsOf } from "./Arcs";
import { treemap } from "./treemap";

const file = (path: string) => ({
  path,
  rank: 1,
  n_lines: 50,
  n_importers: 0,
  language: "go",
  cluster: 0,
});
const MAP: RepositoryMap = {
  files: ["a/one.go", "a/two.go", "b/three.go", "b/four.go", "main.go"].map(file),
  edges: [
    { from: 0, to: 2, n_uses: 3 },
    { from: 1, to: 3, n_uses: 4 },
    { from: 0, to: 1, n_uses: 9 },
    { from: 4, to: 0, n_uses: 2 },
  ],
  clusters: [],
  n_files: 5,
};
const TILES = treemap(MAP.files, { width: 600, height: 400 });
const tile = (path: string) => TILES.find((one) => one.path === path) as (typeof TILES)[number];

it("joins the edges of a folder by the folders at their other ends", () => {
  const arcs = arcsOf(MAP, TILES, tile("a"));
  expect(arcs.map(({ from, to, n_uses }) => `${from.path} ${to.path} ${n_uses}`)).toEqual([
    "a b 7",
    "main.go a 2",
  ]);
});

it("leads from file to file where a file is pointed at", () => {
  const arcs = arcsOf(MAP, TILES, tile("a/one.go"));
  expect(arcs.map(({ to, isOut }) => [to.path, isOut])).toEqual([
    ["a/two.go", true],
    ["b/three.go", true],
    ["a/one.go", false],
  ]);
});
