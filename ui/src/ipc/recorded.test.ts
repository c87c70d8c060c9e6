import { expect, it } from "vitest";
import { commands } from "./bindings";
import { DEMO, installRecorded } from "./recorded";

const NOW = { as_of: null, known_at: null };

async function contents(): Promise<string[]> {
  const request = {
    repo: DEMO,
    state: "valid",
    kinds: [],
    text: "",
    tags: [],
    with_drift: true,
    limit: 200,
    offset: 0,
    moment: NOW,
  };
  const outcome = await commands.memos(request);
  if (outcome.status === "error") throw new Error(outcome.error.message);
  return outcome.data.answer.memos.map((memo) => memo.content);
}

it("answers by what was said to the same question, or to the nearest", async () => {
  installRecorded();
  const path = async (asked: string) => {
    const outcome = await commands.preview(DEMO, asked, null);
    return outcome.status === "ok" && outcome.data.answer.path;
  };
  expect(await path("src/app.ts")).toBe("src/app.ts");
  expect(await path("src/router/trie-router/nodes.ts")).toBe("src/router/trie-router/node.ts");
});

it("fails where nothing of the kind was asked, and says what to add", async () => {
  installRecorded();
  const outcome = await commands.graphSave({ repo: DEMO, focus: { symbol: "a" } }, "svg", "a.svg");
  expect(outcome.status === "error" && outcome.error.message).toContain('"command":"graph_save"');
});

it("goes on after an act in the scene that was recorded after it", async () => {
  installRecorded();
  expect(await contents()).not.toContain("Routers are chosen by hand");
  await commands.memoEdit({
    repo: DEMO,
    memo: "m-routers-are-chosen-by",
    content: "Routers are chosen by hand",
  });
  expect(await contents()).toContain("Routers are chosen by hand");
});

it("answers after an act by what was asked after it, whatever else was asked before", async () => {
  installRecorded();
  const projects = ["/home/me/code/switchyard", "/home/me/code/archive"];
  const canUndo = async () => {
    const outcome = await commands.agentsOverview(projects);
    if (outcome.status === "error") throw new Error(outcome.error.message);
    const cursor = outcome.data.clients.find((client) => client.id === "cursor");
    return cursor?.placements.some((place) => place.can_undo);
  };
  expect(await canUndo()).toBe(false);
  const setUp = { client: "cursor", scope: "user" as const, project: null };
  const how = { profile: "standard" as const, instructions: false, allow_reading: false };
  await commands.agentsApply({ ...setUp, ...how }, []);
  expect(await canUndo()).toBe(true);
});

it("fails as a real call failed", async () => {
  installRecorded("failing");
  const outcome = await commands.repos();
  expect(outcome.status === "error" && outcome.error.code).toBe("registry-damaged");
});

it("brings the looks of its own scene alone: two in turn are a change without end", async () => {
  installRecorded("ahead");
  const before = await commands.preview(DEMO, "src/app.ts", null);
  expect(before.status === "ok" && before.data.looks).toEqual([]);
  const now = await commands.changeState(DEMO);
  expect(now.status === "ok" && now.data.looks).toHaveLength(1);
});
