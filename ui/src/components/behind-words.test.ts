import { describe, expect, it } from "vitest";
import type { TreeLook } from "../ipc";
import { lookInWords, whatIsBehind, whatIsDone } from "./behind-words";

function look(found: Partial<TreeLook["found"]>): TreeLook {
  return {
    repo: "r",
    found: { behind: [], n_behind: 0, head_moved: false, note: "", ...found },
    index_state: "g.1",
    looked_at: 10_000,
    took_ms: 1,
    is_looking: false,
  };
}

const changed = (...behind: string[]) =>
  look({ behind, n_behind: behind.length, note: "update running" });

describe("a look at the files in words", () => {
  it("says how many changed, and when that was seen", () => {
    const foot = (one: TreeLook, now: number) => lookInWords(one, now);
    expect(foot(look({}), 10_400)).toBe("up to date · checked just now");
    expect(foot(changed("a.go"), 12_000)).toBe("1 file changed since the index · checked 2 s ago");
    expect(foot(changed("a.go", "b.go", "c.go"), 130_000)).toBe(
      "3 files changed since the index · checked 2 min ago",
    );
    expect(foot(look({ head_moved: true, note: "update running" }), 10_000)).toBe(
      "HEAD moved since the index · checked just now",
    );
    expect(foot(look({ note: "listing its files takes too long" }), 10_000)).toContain(
      "not compared",
    );
  });

  it("names what an answer does not show, and counts the rest", () => {
    expect(whatIsBehind(changed("a.go"))).toBe("a.go changed since the index");
    expect(whatIsBehind(changed("a", "b", "c", "d", "e"))).toBe(
      "a, b, c and 2 more changed since the index",
    );
    const partial = look({ partial: [12, 1200], note: "first build running" });
    expect(whatIsBehind(partial)).toBe("The index has 12 of 1,200 files so far");
    expect(whatIsDone(changed("a"))).toContain("Updating");
    expect(whatIsDone(look({ note: "no update: the disk is full" }))).toBe(
      "No update: the disk is full.",
    );
  });
});
