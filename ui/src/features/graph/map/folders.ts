// The folders that colours of the map stand for: the first ones that tell its files apart.

import type { MapFile } from "../../../ipc";

/** Hues in degrees, neighbours far from each other; for eyes that lack a cone lightness differs too. */
const HUES = [255, 65, 330, 150, 25, 200, 295, 110];
/** A folder that holds more than this says nothing about what is in it. */
const MOST = 0.7;
const MOST_SPLITS = 4;

/** The folder of each file that has a hue, the largest first; files beside these have none. */
export function hueFolders(files: readonly MapFile[]): string[] {
  let folders = below("", files);
  for (let split = 0; split < MOST_SPLITS; split += 1) {
    const all = folders.reduce((sum, [, lines]) => sum + lines, 0);
    const [largest, lines = 0] = folders[0] ?? [];
    if (!largest || lines <= MOST * all) break;
    const inside = below(largest, files);
    if (inside.length === 0) break;
    folders = [...folders.slice(1), ...inside].sort(byLines);
  }
  return folders.map(([folder]) => folder);
}

type Folder = [path: string, lines: number];

const byLines = (a: Folder, b: Folder) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1);

function below(folder: string, files: readonly MapFile[]): Folder[] {
  const start = folder === "" ? "" : `${folder}/`;
  const lines = new Map<string, number>();
  for (const { path, n_lines } of files) {
    const end = path.indexOf("/", start.length);
    if (!path.startsWith(start) || end < 0) continue;
    const child = path.slice(0, end);
    lines.set(child, (lines.get(child) ?? 0) + n_lines);
  }
  return [...lines].sort(byLines);
}

/** The colour of a path's folder; grey where it has none. */
export function colourOf(path: string, folders: readonly string[]): string {
  const at = folders.findIndex((folder) => path === folder || path.startsWith(`${folder}/`));
  const hue = HUES[at];
  return hue === undefined ? "var(--text-2)" : `oklch(var(--map-light) var(--map-chroma) ${hue})`;
}
