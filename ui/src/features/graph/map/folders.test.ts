import { expect, it } from "vitest";
import type { MapFile } from "../../../ipc";
import { colourOf, hueFolders } from "./folders";

const file = (path: string, n_lines: number) => ({ path, n_lines }) as MapFile;

it("goes into the folder that holds nearly all, and no further", () => {
  const files = [
    file("src/router/a.ts", 90),
    file("src/jsx/b.ts", 70),
    file("src/utils/c.ts", 20),
    file("scripts/d.ts", 10),
    file("e.ts", 5),
  ];
  expect(hueFolders(files)).toEqual(["src/router", "src/jsx", "src/utils", "scripts"]);
});

it("gives the folders different colours, and files beside them grey", () => {
  const folders = ["src/router", "src/jsx"];
  const colours = ["src/router/a.ts", "src/jsx/b.ts", "src/e.ts"].map((path) =>
    colourOf(path, folders),
  );
  expect(new Set(colours).size).toBe(3);
  expect(colours[2]).toBe("var(--text-2)");
});

it("has no folders where all files lie side by side", () => {
  expect(hueFolders([file("a.go", 3), file("b.go", 4)])).toEqual([]);
});
