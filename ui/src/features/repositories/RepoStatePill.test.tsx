import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { RepoSummary } from "../../ipc";
import { RepoStatePill } from "./RepoStatePill";

afterEach(cleanup);

it("calls no index ready whose vectors stopped on the way", () => {
  const shown = (vector: number) => {
    const coverage = { lexical: 1, vector };
    const repo = { state: "ready", graph: "ready", coverage } as RepoSummary;
    render(<RepoStatePill repo={repo} />);
    const words = screen.getByTestId("repo-state").textContent;
    cleanup();
    return words;
  };
  expect(shown(0.001)).toBe("Vectors under 1%");
  expect(shown(0.5)).toBe("Vectors 50%");
  expect(shown(0)).toBe("Ready");
  expect(shown(1)).toBe("Ready");
});

it("says how far behind an index is, where that is known", () => {
  for (const [commits_behind, words] of [
    [1, "1 commit behind"],
    [3, "3 commits behind"],
    [0, "Not up to date"],
  ] as const) {
    const coverage = { lexical: 1, vector: 1 };
    const repo = { state: "stale", commits_behind, coverage } as RepoSummary;
    render(<RepoStatePill repo={repo} />);
    expect(screen.getByTestId("repo-state").textContent).toBe(words);
    cleanup();
  }
});
