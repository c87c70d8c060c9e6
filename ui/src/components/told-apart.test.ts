import { expect, it } from "vitest";
import { toldApart } from "./told-apart";

it("tells names apart by as little as that takes", () => {
  expect(
    toldApart([
      { name: "main", path: "cmd/a/main.go", line: 3 },
      { name: "main", path: "cmd/b/main.go", line: 3 },
      { name: "ClientData", path: "tests/wrap.py", line: 8 },
      { name: "ClientData", path: "tests/http.py", line: 2 },
      { name: "run", path: "tests/run.py", line: 4 },
      { name: "setup", path: "tests/all.py", line: 1 },
      { name: "setup", path: "tests/all.py", line: 90 },
    ]),
  ).toEqual([
    "main · a/main.go",
    "main · b/main.go",
    "ClientData · wrap.py",
    "ClientData · http.py",
    "run",
    "setup · all.py:1",
    "setup · all.py:90",
  ]);
});
