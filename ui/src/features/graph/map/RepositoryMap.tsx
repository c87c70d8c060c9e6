// The map of a repository: drawn once, zoomed and walked over; a file opens its graph.

import "./map.css";
import { type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from "react";
import { IconButton } from "../../../components/controls";
import type { RepositoryMap as Answer } from "../../../ipc";
import { useSize } from "../useSize";
import { Arcs } from "./Arcs";
import { colourOf, hueFolders } from "./folders";
import { isArrow, nextTile, useMapView } from "./moves";
import type { Lit } from "./overlay";
import { TileBox } from "./TileBox";
import { type Tile, treemap } from "./treemap";
import { nameOfMap, wholeWords, wordsOf } from "./words";

export function RepositoryMap(props: {
  map: Answer;
  onPick: (path: string) => void;
  /** Files that something draws over the map, by path; the others are dimmed. */
  lit?: ReadonlyMap<string, Lit>;
  /** The map without the files that are on it for what is drawn over it: their places and colours stay. */
  own?: Answer;
}) {
  const { map, onPick, lit, own = map } = props;
  const pane = useRef<HTMLDivElement>(null);
  const size = useSize(pane);
  const tiles = useMemo(() => treemap(map.files, size, pathsOf(own)), [map, size, own]);
  const folders = useMemo(() => hueFolders(own.files), [own]);
  const moves = useMapView(pane, size);
  const [hovered, setHovered] = useState<string>();
  const [chosen, setChosen] = useState<string>();
  const at = tiles.find((tile) => tile.path === (hovered ?? chosen));
  const tileAt = (event: { target: EventTarget }): Tile | undefined => {
    const box = event.target instanceof Element ? event.target.closest("[data-tile]") : null;
    return tiles[Number(box?.getAttribute("data-tile") ?? Number.NaN)];
  };
  const open = (tile: Tile | undefined) => {
    if (!tile) return;
    if (tile.file === null) moves.show(tile);
    else onPick(tile.path);
  };
  const choose = (tile: Tile | undefined) => {
    setHovered(undefined);
    setChosen(tile?.path);
    if (tile) moves.reveal(tile);
  };
  const onClick = (event: MouseEvent) => !moves.wasDragged() && open(tileAt(event));
  const onKeyDown = (event: KeyboardEvent) => {
    const from = tiles.find((tile) => tile.path === chosen);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isArrow(event.key)) choose(nextTile(tiles, from, event.key));
    else if (event.key === "Enter") open(from);
    else if (event.key === "+" || event.key === "=") moves.zoomIn(from);
    else if (event.key === "-") moves.zoomOut(from);
    else if (event.key === "0") moves.fit();
    else return;
    event.preventDefault();
  };
  return (
    <div className="map-stage">
      <div
        ref={pane}
        className="map-pane"
        data-testid="graph-map"
        data-over={lit ? true : undefined}
        // Arrow keys walk over the map, so a reader's own keys must not get in between.
        role="application"
        aria-label={nameOfMap(map, lit)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk over it
        tabIndex={0}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setHovered(undefined)}
        {...moves.pointer}
        onPointerMove={(event) => {
          moves.pointer.onPointerMove(event);
          if (event.buttons === 0) setHovered(tileAt(event)?.path);
        }}
      >
        <svg width={size.width} height={size.height} aria-hidden="true">
          {tiles.map((tile, index) => (
            <TileBox
              key={tile.path}
              tile={tile}
              index={index}
              colour={colourOf(tile.path, folders)}
              importance={tile.file === null ? 0 : importanceOf(tile.file, own.files.length)}
              view={moves.view}
              size={size}
              isOn={tile === at}
              lit={lit?.get(tile.path)?.mark}
            />
          ))}
          {at && <Arcs map={map} tiles={tiles} of={at} view={moves.view} />}
        </svg>
      </div>
      <footer className="map-foot small">
        <p role="status" data-testid="map-status">
          {at ? wordsOf(at, map, { lit, nOwn: own.files.length }) : wholeWords(map, lit)}
        </p>
        <IconButton icon="minus" label="Zoom out (−)" onPress={() => moves.zoomOut()} />
        <span className="num muted">{Math.round(moves.view.scale * 100)}%</span>
        <IconButton icon="plus" label="Zoom in (+)" onPress={() => moves.zoomIn()} />
        <IconButton icon="fit" label="Fit to view (0)" onPress={moves.fit} />
      </footer>
    </div>
  );
}

const pathsOf = ({ files }: Answer) => new Set(files.map(({ path }) => path));

/** Files come by importance: brightness goes by place, as ranks of a small repository are nearly flat. */
const importanceOf = (place: number, n: number) => (n < 2 ? 1 : Math.max(0, 1 - place / (n - 1)));
