// Folders and files as a treemap: a file's area is its lines, its neighbours are its folder's.

import type { MapFile } from "../../../ipc";
import type { Size } from "../viewport";

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

interface Branch {
  path: string;
  name: string;
  value: number;
  file: number | null;
  children: Branch[];
}

/** The height of a folder's name, and the space around what it holds. */
export const HEAD = 16;
const GAP = 2;
/** Below this a folder is drawn as its files alone. */
const LEAST_FOLDER = 40;
/** The shortest file still has an area that can be pointed at. */
const LEAST_LINES = 12;

export function treemap(files: readonly MapFile[], size: Size): Tile[] {
  const root = treeOf(files);
  const tiles: Tile[] = [];
  place(root.children, { x: 0, y: 0, ...size }, 0, tiles);
  return tiles;
}

function treeOf(files: readonly MapFile[]): Branch {
  const root: Branch = { path: "", name: "", value: 0, file: null, children: [] };
  const folders = new Map([["", root]]);
  const folderAt = (path: string): Branch => {
    const known = folders.get(path);
    if (known) return known;
    const [above, name] = parted(path);
    const made: Branch = { path, name, value: 0, file: null, children: [] };
    folderAt(above).children.push(made);
    folders.set(path, made);
    return made;
  };
  for (const [file, { path, n_lines }] of files.entries()) {
    const [folder, name] = parted(path);
    const value = Math.max(LEAST_LINES, n_lines);
    folderAt(folder).children.push({ path, name, value, file, children: [] });
  }
  return settled(root);
}

/** Sums values, joins a folder with the only folder in it, and puts the largest first. */
function settled(branch: Branch): Branch {
  if (branch.file !== null) return branch;
  const children = branch.children.map(settled);
  const [only] = children;
  if (children.length === 1 && only && only.file === null && branch.path !== "") {
    return { ...only, name: `${branch.name}/${only.name}` };
  }
  const value = children.reduce((sum, child) => sum + child.value, 0);
  children.sort((a, b) => b.value - a.value || (a.path < b.path ? -1 : 1));
  return { ...branch, children, value };
}

function parted(path: string): [folder: string, name: string] {
  const at = path.lastIndexOf("/");
  return at < 0 ? ["", path] : [path.slice(0, at), path.slice(at + 1)];
}

function place(branches: readonly Branch[], box: Box, depth: number, tiles: Tile[]): void {
  for (const [branch, at] of squarified(branches, box)) {
    const { path, name, file } = branch;
    tiles.push({ ...at, path, name, file, depth });
    if (file !== null) continue;
    const isSmall = at.width < LEAST_FOLDER || at.height < LEAST_FOLDER;
    const head = isSmall ? 0 : HEAD;
    const gap = isSmall ? 0 : GAP;
    const inner = {
      x: at.x + gap,
      y: at.y + head,
      width: Math.max(0, at.width - 2 * gap),
      height: Math.max(0, at.height - head - gap),
    };
    place(branch.children, inner, depth + 1, tiles);
  }
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
