import { expect, it } from "vitest";
import type { ReviewedSymbol, ReviewResponse, SymbolLine, TestPlace } from "../../ipc";
import { code, reviewMarkdown } from "./markdown";
import { commandOf } from "./run-tests";
import { changeWords } from "./words";

const test = (path: string, name: string | null): TestPlace => ({
  path,
  name,
  line: 3,
  depth: 1,
  sure: true,
});

it("writes the command of runners that are known", () => {
  expect(commandOf([test("tests/test_tax.py", "TestTax.test_rate")])).toBe(
    "pytest tests/test_tax.py::TestTax::test_rate",
  );
  expect(commandOf([test("tax/tax_test.go", "TestRate"), test("tax/tax_test.go", "TestVat")])).toBe(
    "go test ./tax -run '^(TestRate|TestVat)$'",
  );
  expect(commandOf([test("tests/it.rs", "rates::rounds")])).toBe("cargo test -- rounds");
  expect(commandOf([test("src/a.test.ts", "adds")])).toBeNull();
  expect(commandOf([])).toBeNull();
});

it("lets no name of a repository out of its word", () => {
  const hostile = commandOf([test("tests/$(rm -rf ~)'.py", "t; reboot")]);
  expect(hostile).toBe("pytest 'tests/$(rm -rf ~)'\\''.py::t; reboot'");
  expect(commandOf([test("--collect.py", null)])).toBe("pytest ./--collect.py");
  expect(commandOf([test("a\nreboot.py", null)])).toBeNull();
});

const EMPTY: ReviewResponse = {
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
};

const line = (qualified: string, path: string): SymbolLine => ({
  ...{ path, start_line: 3, end_line: 9, name_line: 3, kind: "function", name: qualified },
  ...{ qualified, signature: `def ${qualified}()`, exported: true },
});

it("tells what was renamed or moved from where", () => {
  const change = { change: "renamed", symbol: line("tax_of", "src/a.py") } as ReviewedSymbol;
  expect(changeWords({ ...change, from: line("tax", "src/a.py") })).toBe("renamed from tax");
  expect(changeWords({ ...change, from: line("tax_of", "old/b.py") })).toBe("moved from old/b.py");
  expect(changeWords({ ...change, change: "new" })).toBe("new");
});

it("writes a review in which no name is Markdown", () => {
  const text = reviewMarkdown(
    { ...EMPTY, removed_files: ["a`b\n# not a title.py"], notes: ["a <b> *c*"], n_left_out: 2 },
    [test("tests/a.py", "t")],
  );
  expect(text).toContain("- `` a`b # not a title.py ``");
  expect(text).toContain("a \\<b\\> \\*c\\*");
  expect(text).toContain("2 files left out.");
  expect(text).toContain("```sh\npytest tests/a.py::t\n```");
  expect(code("x")).toBe("`x`");
});
