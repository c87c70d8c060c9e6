import { expect, it } from "vitest";
import type { RepoSummary } from "../ipc";
import { betterLines } from "./better-lines";

const taking = (name: string, vectors_left_s: number | null) =>
  ({ name, vectors_left_s }) as RepoSummary;

it("says what a model takes for what lacks its vectors", () => {
  const shop = taking("shop", 170);
  const told = (...repos: RepoSummary[]) => betterLines(repos).split(": ")[1];
  expect(told(shop, taking("done", null))).toBe("about 3 minutes for shop.");
  expect(told(taking("small", 2))).toBe("under a minute for small.");
  expect(told(shop, taking("linux", 30_000))).toBe("about 8 hours for 2 repositories.");
  expect(told()).toBe("minutes for each repository.");
});
