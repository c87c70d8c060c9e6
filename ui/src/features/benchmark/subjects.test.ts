import { expect, it } from "vitest";
import { runTitle, spoken } from "./subjects";

const run = (title: string) => ({
  id: "1",
  title,
  suites: ["own", "semble"],
  subjects: ["whyrank", "smart-grep"].map((name) => ({
    name,
    version: "",
    notes: "",
    configuration: "",
  })),
});

it("writes the program's name in titles made from subjects, and leaves the person's own", () => {
  expect(runTitle(run("own, semble: whyrank, smart-grep"))).toBe(
    "own, semble: Whyrank, smart-grep",
  );
  expect(runTitle(run("whyrank with a new gate"))).toBe("whyrank with a new gate");
  expect(runTitle(run(""))).toBe("own, semble");
});

it("writes the program's name at the head of phases and notes, never within them", () => {
  expect(spoken("whyrank answers about whyrank")).toBe("Whyrank answers about whyrank");
  expect(spoken("whyrank: no model")).toBe("Whyrank: no model");
  expect(spoken("indexing whyrank")).toBe("indexing whyrank");
  expect(spoken("bm25 reads tokio")).toBe("bm25 reads tokio");
});
