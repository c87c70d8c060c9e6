// Who depends on a file or folder of the map, and on whom it leans: arcs while it is pointed at.

import type { RepositoryMap } from "../../../ipc";
import type { Viewport } from "../viewport";
import { middleOf } from "./moves";
import type { Tile } from "./treemap";

/** More would cover the map. */
const MOST = 28;

interface Arc {
  from: Tile;
  to: Tile;
  n_uses: number;
  isOut: boolean;
}

/** What leads from a tile and to it, most uses first: of a file from file to file, of a folder from folder to
 * folder. */
export function arcsOf(map: RepositoryMap, tiles: readonly Tile[], of: Tile): Arc[] {
  const isIn = (file: number) =>
    of.file === null ? map.files[file]?.path.startsWith(`${of.path}/`) === true : file === of.file;
  const fileTiles = new Map(tiles.map((tile) => [tile.file, tile]));
  const folders = tiles.filter((tile) => tile.file === null && tile.depth === of.depth);
  const otherEnd = (file: number): Tile | undefined => {
    const path = map.files[file]?.path ?? "";
    const folder = of.file === null && folders.find((one) => path.startsWith(`${one.path}/`));
    return folder || fileTiles.get(file);
  };
  const arcs = new Map<string, Arc>();
  for (const edge of map.edges) {
    const isOut = isIn(edge.from);
    if (isOut === isIn(edge.to)) continue;
    const other = otherEnd(isOut ? edge.to : edge.from);
    if (!other) continue;
    const key = `${isOut} ${other.path}`;
    const [from, to] = isOut ? [of, other] : [other, of];
    const before = arcs.get(key)?.n_uses ?? 0;
    arcs.set(key, { from, to, n_uses: before + edge.n_uses, isOut });
  }
  return [...arcs.values()].sort((a, b) => b.n_uses - a.n_uses).slice(0, MOST);
}

export function Arcs(props: {
  map: RepositoryMap;
  tiles: readonly Tile[];
  of: Tile;
  view: Viewport;
}) {
  const { view } = props;
  const point = (tile: Tile) => {
    const at = middleOf(tile);
    return { x: at.x * view.scale + view.x, y: at.y * view.scale + view.y };
  };
  return (
    <g className="map-arcs">
      {arcsOf(props.map, props.tiles, props.of).map((arc) => {
        const from = point(arc.from);
        const to = point(arc.to);
        const bend = { x: (to.y - from.y) * 0.18, y: (from.x - to.x) * 0.18 };
        const middle = { x: (from.x + to.x) / 2 + bend.x, y: (from.y + to.y) / 2 + bend.y };
        return (
          <g key={`${arc.from.path}-${arc.to.path}`} data-way={arc.isOut ? "out" : "in"}>
            <path
              d={`M${from.x} ${from.y}Q${middle.x} ${middle.y} ${to.x} ${to.y}`}
              strokeWidth={Math.min(5, 1 + Math.log2(arc.n_uses) / 2)}
            />
            <circle cx={to.x} cy={to.y} r={3} />
          </g>
        );
      })}
    </g>
  );
}
