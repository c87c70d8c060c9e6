// Who depends on a file or folder of the map, and on whom it leans: arcs while it is pointed at.

import type { RepositoryMap } from "../../../ipc";
import type { Viewport } from "../viewport";
import { middleOf } from "./moves";
import type { Tile } from "./treemap";

/** More would cover the map. */
const MOST = 28;

export function Arcs(props: {
  map: RepositoryMap;
  tiles: readonly Tile[];
  of: Tile;
  view: Viewport;
}) {
  const { map, of, view } = props;
  const isIn = (file: number) =>
    of.file === null ? map.files[file]?.path.startsWith(`${of.path}/`) === true : file === of.file;
  const tileOf = new Map(props.tiles.map((tile) => [tile.file, tile]));
  const crossing = map.edges.filter((edge) => isIn(edge.from) !== isIn(edge.to)).slice(0, MOST);
  const point = (file: number) => {
    const tile = tileOf.get(file);
    const at = tile ? middleOf(tile) : { x: 0, y: 0 };
    return { x: at.x * view.scale + view.x, y: at.y * view.scale + view.y };
  };
  return (
    <g className="map-arcs">
      {crossing.map((edge) => {
        const from = point(edge.from);
        const to = point(edge.to);
        const bend = { x: (to.y - from.y) * 0.18, y: (from.x - to.x) * 0.18 };
        const middle = { x: (from.x + to.x) / 2 + bend.x, y: (from.y + to.y) / 2 + bend.y };
        return (
          <g key={`${edge.from}-${edge.to}`} data-way={isIn(edge.from) ? "out" : "in"}>
            <path
              d={`M${from.x} ${from.y}Q${middle.x} ${middle.y} ${to.x} ${to.y}`}
              strokeWidth={Math.min(2.5, 1 + Math.log2(edge.n_uses) / 3)}
            />
            <circle cx={to.x} cy={to.y} r={3} />
          </g>
        );
      })}
    </g>
  );
}
