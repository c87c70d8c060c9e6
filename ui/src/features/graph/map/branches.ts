// Files as the tree of their folders: what the map has by itself, and what something drawn over it adds.

import type { MapFile } from "../../../ipc";

export interface Branch {
  path: string;
  /** The last part of the path, or several where a folder holds nothing else. */
  name: string;
  value: number;
  /** Place of the file in the answer; `null` for a folder. */
  file: number | null;
  children: Branch[];
  /** What comes in without moving the others. */
  added: Branch[];
}

/** The shortest file still has an area that can be pointed at. */
const LEAST_LINES = 12;

type Entry = [file: number, of: MapFile];

/** `own`: the paths of the map itself; without it all are. */
export function branchesOf(files: readonly MapFile[], own?: ReadonlySet<string>): Branch {
  const isOwn = ([, { path }]: Entry) => !own || own.has(path);
  const all = [...files.entries()];
  const root = settled(treeOf(all.filter(isOwn)));
  const added = new Map<Branch, Entry[]>();
  for (const entry of all.filter((one) => !isOwn(one))) {
    const around = nearest(root, entry[1].path);
    added.set(around, [...(added.get(around) ?? []), entry]);
  }
  for (const [around, entries] of added)
    around.added = settled(treeOf(entries, around.path)).children;
  return root;
}

/** The innermost folder of the map that a path lies in. */
function nearest(root: Branch, path: string): Branch {
  const holds = (branch: Branch) => branch.file === null && path.startsWith(`${branch.path}/`);
  const inner = root.children.find(holds);
  return inner ? nearest(inner, path) : root;
}

/** `top`: the folder whose files these are. */
function treeOf(entries: readonly Entry[], top = ""): Branch {
  const root = branch(top, "", null);
  const folders = new Map([[top, root]]);
  const folderAt = (path: string): Branch => {
    const there = folders.get(path);
    if (there) return there;
    const [above, name] = parted(path);
    const made = branch(path, name, null);
    folderAt(above).children.push(made);
    folders.set(path, made);
    return made;
  };
  for (const [file, { path, n_lines }] of entries) {
    const [folder, name] = parted(path);
    folderAt(folder).children.push(branch(path, name, file, Math.max(LEAST_LINES, n_lines)));
  }
  return root;
}

function branch(path: string, name: string, file: number | null, value = 0): Branch {
  return { path, name, value, file, children: [], added: [] };
}

/** Sums values, joins a folder with the only folder in it, and puts the largest first. */
function settled(of: Branch): Branch {
  if (of.file !== null) return of;
  const children = of.children.map(settled);
  const [only] = children;
  if (children.length === 1 && only && only.file === null && of.name !== "")
    return { ...only, name: `${of.name}/${only.name}` };
  children.sort((a, b) => b.value - a.value || (a.path < b.path ? -1 : 1));
  return { ...of, children, value: sumOf(children) };
}

export const sumOf = (branches: readonly Branch[]) =>
  branches.reduce((sum, one) => sum + one.value, 0);

function parted(path: string): [folder: string, name: string] {
  const at = path.lastIndexOf("/");
  return at < 0 ? ["", path] : [path.slice(0, at), path.slice(at + 1)];
}
