// Folders and files as a treemap: a file's area is its lines, its neighbours are its folder's.

import type { MapFile } from "../../../ipc";
import type { Size } from "../viewport";
import { type Branch, branchesOf, sumOf } from "./branches";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A folder or a file on the map. */
export interface Tile extends Box {
  /** Path; a folder's without the slash at its end. */
  path: string;
  /** What the tile says: the last part of the path, or several where a folder holds nothing else. */
  name: string;
  /** Place of the file in the answer; `null` for a folder. */
  file: number | null;
  /** Folders around it. */
  depth: number;
}

/** The height of a folder's name, and the space around what it holds. */
export const HEAD = 16;
const GAP = 2;
/** Below this a folder is drawn as its files alone. */
const LEAST_FOLDER = 40;
/** What is added to a folder takes no more of its room, or of the room of the file that it is put beside. */
const MOST_ADDED = 0.4;

/** `own`: the paths of the map itself. Other files are put in between, and move none of these. */
export function treemap(files: readonly MapFile[], size: Size, own?: ReadonlySet<string>): Tile[] {
  const tiles: Tile[] = [];
  placeIn(branchesOf(files, own), { x: 0, y: 0, ...size }, 0, tiles);
  return tiles;
}

/** What a folder holds, in the room that it has for it. */
function placeIn({ children, added }: Branch, box: Box, depth: number, tiles: Tile[]): void {
  const host = hostOf(children, added);
  if (added.length === 0 || host) placeAll(children, box, depth, tiles, host && { host, added });
  else {
    const share = Math.min(MOST_ADDED, sumOf(added) / (sumOf(added) + sumOf(children)));
    const [kept, freed] = parted(box, share);
    placeAll(children, kept, depth, tiles);
    placeAll(added, freed, depth, tiles);
  }
}

/** The largest file of a folder makes room for what is added there, if it has enough. */
function hostOf(children: readonly Branch[], added: readonly Branch[]): Branch | undefined {
  const host = children.find((child) => child.file !== null);
  return host && host.value >= sumOf(added) ? host : undefined;
}

function placeAll(
  branches: readonly Branch[],
  box: Box,
  depth: number,
  tiles: Tile[],
  beside?: { host: Branch; added: readonly Branch[] },
): void {
  for (const [branch, whole] of squarified(branches, box)) {
    const { path, name, file } = branch;
    const isHost = beside?.host === branch;
    const share = isHost ? Math.min(MOST_ADDED, sumOf(beside.added) / branch.value) : 0;
    const [at, freed] = parted(whole, share);
    tiles.push({ ...at, path, name, file, depth });
    if (file === null) placeIn(branch, insideOf(at), depth + 1, tiles);
    if (isHost) placeAll(beside.added, freed, depth, tiles);
  }
}

/** A folder without its name and its edge. */
function insideOf({ x, y, width, height }: Box): Box {
  const isSmall = width < LEAST_FOLDER || height < LEAST_FOLDER;
  const head = isSmall ? 0 : HEAD;
  const gap = isSmall ? 0 : GAP;
  return {
    x: x + gap,
    y: y + head,
    width: Math.max(0, width - 2 * gap),
    height: Math.max(0, height - head - gap),
  };
}

/** A box in two, along its longer side: what it keeps, and a share at its end. */
function parted(box: Box, share: number): [kept: Box, freed: Box] {
  const { x, y, width, height } = box;
  if (width >= height) {
    const kept = width * (1 - share);
    return [
      { ...box, width: kept },
      { ...box, x: x + kept, width: width - kept },
    ];
  }
  const kept = height * (1 - share);
  return [
    { ...box, height: kept },
    { ...box, y: y + kept, height: height - kept },
  ];
}

/** Rows along the shorter side, each as long as its boxes become squarer (Bruls, Huizing, van Wijk). */
export function squarified<T extends { value: number }>(
  items: readonly T[],
  box: Box,
): [item: T, box: Box][] {
  const total = items.reduce((sum, item) => sum + item.value, 0);
  const perValue = total > 0 ? (box.width * box.height) / total : 0;
  const placed: [T, Box][] = [];
  let rest = { ...box };
  let row: T[] = [];
  const side = () => Math.min(rest.width, rest.height);
  const close = () => {
    rest = layRow(row, rest, perValue, placed);
    row = [];
  };
  for (const item of items) {
    const longer = [...row, item];
    if (row.length > 0 && worst(longer, side(), perValue) > worst(row, side(), perValue)) {
      close();
      row = [item];
    } else row = longer;
  }
  if (row.length > 0) close();
  return placed;
}

/** The aspect ratio of the least square box of a row. */
function worst(row: readonly { value: number }[], side: number, perValue: number): number {
  const areas = row.map((item) => item.value * perValue);
  const sum = areas.reduce((all, area) => all + area, 0);
  if (sum === 0 || side === 0) return Number.POSITIVE_INFINITY;
  const thickness = sum / side;
  return Math.max(...areas.map((area) => ratio(area / thickness, thickness)));
}

const ratio = (a: number, b: number) => Math.max(a / b, b / a);

function layRow<T extends { value: number }>(
  row: readonly T[],
  box: Box,
  perValue: number,
  placed: [T, Box][],
): Box {
  const area = row.reduce((sum, item) => sum + item.value * perValue, 0);
  const isUpright = box.width >= box.height;
  const side = isUpright ? box.height : box.width;
  const thickness = side > 0 ? area / side : 0;
  let at = isUpright ? box.y : box.x;
  for (const item of row) {
    const length = thickness > 0 ? (item.value * perValue) / thickness : 0;
    placed.push([
      item,
      isUpright
        ? { x: box.x, y: at, width: thickness, height: length }
        : { x: at, y: box.y, width: length, height: thickness },
    ]);
    at += length;
  }
  return isUpright
    ? { ...box, x: box.x + thickness, width: Math.max(0, box.width - thickness) }
    : { ...box, y: box.y + thickness, height: Math.max(0, box.height - thickness) };
}
