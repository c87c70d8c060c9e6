import { expect, it } from "vitest";
import type { BrokenImports, ReviewResponse } from "../../ipc";
import { diffPathOf, placeOf, rowsOf } from "./rows";

const imports = (path: string, now: string | null, risk: number): BrokenImports => ({
  path,
  now,
  risk,
  n_importers: 2,
  importers: [],
});

function review(of: Partial<ReviewResponse>): ReviewResponse {
  return {
    base: "HEAD",
    notes: [],
    without: "",
    symbols: [],
    files: [],
    others: [],
    broken_imports: [],
    moved_files: [],
    removed_files: [],
    unread: [],
    n_left_out: 0,
    ...of,
  };
}

it("puts imports that lead nowhere below their path, with what became of it", () => {
  const rows = rowsOf(
    review({
      broken_imports: [imports("src/old.ts", "src/new.ts", 40), imports("src/gone.ts", null, 70)],
      removed_files: ["src/gone.ts"],
    }),
  );
  expect(rows.map((row) => [row.kind, row.path, row.kind === "file" ? row.what : ""])).toEqual([
    ["file", "src/gone.ts", "removed"],
    ["broken", "src/gone.ts", ""],
    ["file", "src/old.ts", "moved to src/new.ts"],
    ["broken", "src/old.ts", ""],
  ]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

it("opens the file where it is now, and nothing where it is gone", () => {
  const rows = rowsOf(
    review({
      broken_imports: [imports("src/old.ts", "src/new.ts", 40), imports("src/gone.ts", null, 30)],
    }),
  );
  expect(rows.map(placeOf)).toEqual([
    { path: "src/new.ts", line: 1 },
    { path: "src/new.ts", line: 1 },
    null,
    null,
  ]);
  expect(rows.map(diffPathOf)).toEqual(["src/new.ts", "src/new.ts", "src/gone.ts", "src/gone.ts"]);
});

it("keeps the head of a path apart from that of a file of the same path", () => {
  const rows = rowsOf(
    review({ others: ["a.py"], broken_imports: [imports("pkg/a.py", "pkg/a.py", 10)] }),
  );
  expect(rows.map(({ id }) => id)).toEqual(["path pkg/a.py", "imports pkg/a.py", "file a.py"]);
});
