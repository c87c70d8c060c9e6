import { expect, it } from "vitest";
import type { IssueRecord, TraceRow } from "../../ipc";
import { partsOf } from "./issue";

const part = (kind: IssueRecord["parts"][number]["kind"], text: string) => ({
  kind,
  text,
  n_asked: 2,
  weight: 3.5,
  n_files: 4,
  brought: 0,
});

const term = (name: string, contribution: number, reason: string, words?: string[]) => ({
  name,
  contribution,
  reason,
  words,
});

it("shows which words of an issue found the hit, the part that says most first", () => {
  const record: IssueRecord = {
    parts: [part("title", "Session cookies are lost"), part("name", "open_session, App.run")],
    n_dropped_lines: 3,
    n_unread_bytes: 0,
  };
  const row = {
    evidence: [
      term("issue-title-file", 0.01, "title: 80 % of the best file's BM25 (cooki, session)", [
        "cooki",
        "session",
      ]),
      term("issue-title-path", 0.01, "its path holds 50 % of the title's words"),
      term("issue-name-file", 0.04, "defines what the issue names: open_session", ["open_session"]),
      term("file-rank", 0.5, "PageRank 1.00 of the most imported file's"),
    ],
  } as TraceRow;
  const [names, title] = partsOf(record, row);
  expect(names?.kind).toBe("name");
  expect(names?.found.map(([from, to]) => names.text.slice(from, to))).toEqual(["open_session"]);
  expect(title?.adds).toBeCloseTo(0.02);
  expect(title?.found.map(([from, to]) => title.text.slice(from, to))).toEqual([
    "Session",
    "cookies",
  ]);
});
