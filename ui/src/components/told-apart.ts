// Names in one list, each with as much of its place as tells it from the others.

export interface Placed {
  name: string;
  path: string;
  line: number;
}

/** The names alone where they are unique; else with their file, its folders, or their line. */
export function toldApart(items: readonly Placed[]): string[] {
  return items.map((item) => {
    const same = items.filter((other) => other.name === item.name);
    if (same.length < 2) return item.name;
    const parts = item.path.split("/");
    const isOnly = (tail: string) =>
      same.filter(({ path }) => `/${path}`.endsWith(`/${tail}`)).length === 1;
    for (let n = 1; n <= parts.length; n += 1) {
      const tail = parts.slice(-n).join("/");
      if (isOnly(tail)) return `${item.name} · ${tail}`;
    }
    return `${item.name} · ${parts.at(-1)}:${item.line}`;
  });
}
