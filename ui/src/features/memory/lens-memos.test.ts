import { expect, it } from "vitest";
import type { Selection } from "../../app/selection";
import type { Memo, MemoAnchor } from "../../ipc";
import { memosAt } from "./lens-memos";

const selection: Selection = {
  repo: "r",
  asOf: null,
  path: "src/tax.py",
  line: 10,
  endLine: 20,
  symbol: "vat_rate",
  hit: null,
  queryId: null,
};

const anchor = (path: string, start_line: number, end_line: number, more = {}): MemoAnchor => ({
  path,
  symbol: null,
  start_line,
  end_line,
  state: "",
  now: "",
  by: "",
  diff: "",
  ...more,
});

const memo = (id: string, ...anchors: MemoAnchor[]) => ({ id, anchors }) as Memo;

it("puts memos of the lines before those of the file, and these before those of a folder", () => {
  const memos = [
    memo("folder", anchor("src", 0, 0)),
    memo("file", anchor("src/tax.py", 0, 0)),
    memo("elsewhere", anchor("src/tax.pyc", 12, 12)),
    memo("lines", anchor("src/tax.py", 90, 95), anchor("src/tax.py", 18, 30)),
    memo("name", anchor("src/tax.py", 70, 80, { symbol: "vat_rate" })),
  ];
  const found = memosAt(memos, selection).map(({ memo, near }) => `${memo.id} ${near}`);
  expect(found).toEqual(["lines here", "name here", "file file", "folder folder"]);
});

it("takes an anchor for where its code is now", () => {
  const moved = memo("moved", anchor("src/old.py", 1, 2, { now: "src/tax.py:12-13" }));
  const left = memo("left", anchor("src/tax.py", 10, 20, { now: "src/new.py:1-2" }));
  expect(memosAt([left, moved], selection).map(({ memo }) => memo.id)).toEqual(["moved"]);
});
