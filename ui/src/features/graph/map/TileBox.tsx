// A folder or a file on the map, with its name where there is room for it.

import type { CSSProperties } from "react";
import type { Size, Viewport } from "../viewport";
import type { Mark } from "./overlay";
import { HEAD, type Tile } from "./treemap";

/** How much of its folder's colour a file has, by importance; names stay readable on it. */
const LEAST_SHARE = 14;
const MOST_SHARE = 62;
/** The width of a letter of the small type, about. */
const LETTER = 6.2;
const INSET = 4;
const NAME_HEIGHT = 14;

export function TileBox(props: {
  tile: Tile;
  index: number;
  colour: string;
  /** From 0, the least important file, to 1. */
  importance: number;
  view: Viewport;
  size: Size;
  isOn: boolean;
  /** How it is lit by what is drawn over the map. */
  lit?: Mark;
}) {
  const { tile, view, size } = props;
  const box = {
    x: tile.x * view.scale + view.x,
    y: tile.y * view.scale + view.y,
    width: tile.width * view.scale,
    height: tile.height * view.scale,
  };
  const isSeen =
    box.x < size.width && box.y < size.height && box.x + box.width > 0 && box.y + box.height > 0;
  if (!isSeen) return null;
  const isFolder = tile.file === null;
  // A name stays in sight while a part of its tile is.
  const left = Math.max(box.x, 0);
  const room = Math.min(box.x + box.width, size.width) - left - 2 * INSET;
  const name = fitting(tile.name, room);
  const head = HEAD * view.scale;
  const headTop = Math.max(box.y, 0);
  const y = isFolder ? headTop + Math.min(box.y + head - headTop, 16) / 2 : box.y + box.height / 2;
  // The name of a folder stands in its head: out of sight with it, never under what the folder holds.
  const isHeadSeen = !isFolder || Math.min(box.y, 0) + head >= NAME_HEIGHT;
  const hasRoom = name !== "" && isHeadSeen && box.height > (isFolder ? 40 : 15);
  return (
    <g
      className={isFolder ? "map-folder" : "map-file"}
      data-tile={props.index}
      data-on={props.isOn || undefined}
      data-lit={props.lit}
      data-depth={Math.min(tile.depth, 3)}
      style={
        {
          "--tile": props.colour,
          "--share": `${Math.round(LEAST_SHARE + (MOST_SHARE - LEAST_SHARE) * props.importance)}%`,
        } as CSSProperties
      }
    >
      <rect
        x={box.x}
        y={box.y}
        width={Math.max(0, box.width - 1)}
        height={Math.max(0, box.height - 1)}
        rx={isFolder ? 3 : 2}
      />
      {hasRoom && (
        <text x={left + INSET} y={y} dominantBaseline="central">
          {name}
        </text>
      )}
    </g>
  );
}

/** The name, cut at its end; nothing where not even its beginning can be read. */
function fitting(name: string, room: number): string {
  const n = Math.floor(room / LETTER);
  if (name.length <= n) return name;
  return n >= 4 ? `${name.slice(0, n - 1).replace(/\.$/, "")}…` : "";
}
