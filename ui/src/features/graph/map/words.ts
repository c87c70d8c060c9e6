// What the map is called, and what it says of what is pointed at.

import { count, plural } from "../../../components/format";
import type { RepositoryMap } from "../../../ipc";
import type { Lit } from "./overlay";
import type { Tile } from "./treemap";

/** Files that something draws over the map, where anything is. */
type AllLit = ReadonlyMap<string, Lit> | undefined;

const LEFT_OUT = "Tests, examples, docs and files that define nothing are left out";

export function nameOfMap({ files }: RepositoryMap, lit: AllLit): string {
  const n = plural(files.length, "file");
  if (!lit) return `Map of ${n}. The list beside it holds the first of them.`;
  return `Map of ${n}. ${litWords(files, lit)}. The list beside it holds all that are lit.`;
}

/** `9 of 28 files are lit`. */
function litWords(files: RepositoryMap["files"], lit: NonNullable<AllLit>): string {
  const n = files.filter(({ path }) => lit.has(path)).length;
  return `${count(n)} of ${plural(files.length, "file")} ${n === 1 ? "is" : "are"} lit`;
}

export function wholeWords({ files, n_files }: RepositoryMap, lit: AllLit): string {
  if (lit)
    return `${litWords(files, lit)}; the others are dimmed. ${LEFT_OUT} where they are not lit.`;
  const which =
    files.length < n_files
      ? `The ${count(files.length)} most important of ${count(n_files)} files`
      : plural(n_files, "file");
  return `${which}, sized by lines; color tells the folder, its strength the importance (PageRank). ${LEFT_OUT}.`;
}

/** `nOwn`: files that are on the map for their importance; others come after them. */
export function wordsOf(
  tile: Tile,
  map: RepositoryMap,
  { lit, nOwn }: { lit: AllLit; nOwn: number },
): string {
  return [wordsOfTile(tile, map, nOwn), ...(lit?.get(tile.path)?.notes ?? [])].join(" · ");
}

function wordsOfTile(tile: Tile, map: RepositoryMap, nOwn: number): string {
  if (tile.file === null) {
    const n = map.files.filter((file) => file.path.startsWith(`${tile.path}/`)).length;
    return `${tile.path} · ${plural(n, "file")} shown`;
  }
  const file = map.files[tile.file];
  if (!file) return tile.path;
  const cluster = map.clusters.find((one) => one.id === file.cluster);
  const parts = [
    file.path,
    plural(file.n_lines, "line"),
    ...(tile.file < nOwn
      ? [`importance: top ${Math.max(1, Math.ceil((100 * (tile.file + 1)) / nOwn))} %`]
      : []),
    `imported by ${count(file.n_importers)}`,
    ...(cluster ? [cluster.label.slice(0, 3).join(", ")] : []),
  ];
  return parts.join(" · ");
}
