import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { session } from "../../app/session";
import { answer } from "../../testing/answer";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { AgentsView } from "./AgentsView";

cleanUpAfterEach();

function show(hash: string, scene: "full" | "first" | "failing" = "full") {
  showRecorded(<AgentsView />, hash, scene);
}

it("shows what was found, how it stands, and what a profile costs", async () => {
  show("#/agents");
  const found = await screen.findByTestId("agents-found");
  expect(within(found).getByTestId("agent-claude-code").textContent).toContain("Set up");
  expect(within(found).getByTestId("agent-zed").textContent).toContain("Invalid file");
  expect(screen.getByTestId("profile-cost").textContent).toMatch(/\d+ tools, about [\d,]+ tokens/);
});

it.each([
  ["no repository", ""],
  ["a repository", "a1b2c3d4e5f6"],
])("sets an agent up with one click, verifies it, and takes it back, in %s", async (_, repo) => {
  session.set({ repo });
  show("#/agents");
  // The demo has no program that answers agents.
  answer("agentsVerify", [
    {
      client: "cursor",
      name: "Cursor",
      path: "/home/me/.cursor/mcp.json",
      ticks: [
        { step: "server", state: "ok", message: "listed 17 tools in 36 ms", fix: "" },
        {
          step: "client",
          state: "waiting",
          message: "waiting for the first connection of Cursor",
          fix: "Restart Cursor.",
        },
      ],
    },
  ]);
  const card = await screen.findByTestId("agent-cursor");
  fireEvent.click(within(card).getByTestId("agent-setup"));
  const ticks = await within(card).findByRole("list", { name: "Verification" });
  expect(ticks.textContent).toContain("listed 17 tools");
  expect(ticks.textContent).toContain("waiting for the first connection");
  fireEvent.click(await within(card).findByRole("button", { name: "Undo" }));
  await within(card).findByText("Undone. The file is byte-for-byte as before.");
});

it("shows every line before it writes", async () => {
  show("#/agents");
  const card = await screen.findByTestId("agent-cursor");
  fireEvent.click(within(card).getByRole("button", { name: "Review" }));
  const plan = await screen.findByTestId("plan-cursor");
  expect(plan.textContent).toContain('+    "whyrank": {');
  expect(plan.textContent).toContain("No hooks and no permissions");
  fireEvent.click(screen.getByTestId("agents-write"));
  await within(card).findByText("Set up");
});

it("lists calls, and opens the answer that the agent saw", async () => {
  show("#/agents?tab=calls");
  const [failed, first] = await screen.findAllByTestId("call");
  expect(failed?.textContent).toContain("refs");
  fireEvent.click(first as HTMLElement);
  const text = await screen.findByTestId("call-text");
  expect(text.textContent).toContain("src/router/smart-router/router.ts:4");
  expect(screen.getByRole("button", { name: "Explain" })).toBeTruthy();
});

it("asks before the log is cleared, and says where an export went", async () => {
  show("#/agents?tab=calls");
  fireEvent.click(await screen.findByTestId("calls-export"));
  expect((await screen.findByTestId("calls-written")).textContent).toContain("whyrank-calls.jsonl");
  fireEvent.click(screen.getByTestId("calls-clear"));
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByText(/6 calls with their answers are deleted/);
  fireEvent.click(within(dialog).getByTestId("calls-clear-confirm"));
  await screen.findByText(/No agent has asked anything yet/);
});

it("keeps no calls when the log is off", async () => {
  show("#/agents?tab=calls");
  const keep = within(await screen.findByTestId("calls-keep")).getByRole("switch");
  expect((keep as HTMLInputElement).checked).toBe(true);
  fireEvent.click(keep);
  await waitFor(() => expect((keep as HTMLInputElement).checked).toBe(false));
});

it("sums up each session, and shows it call by call on a click", async () => {
  show("#/agents?tab=sessions");
  const [, first] = await screen.findAllByTestId("session");
  const row = first?.closest("tr");
  expect(row?.textContent).toContain("claude-code");
  fireEvent.click(first as HTMLElement);
  expect((await screen.findByTestId("session-figures")).textContent).toContain("tokens in answers");
  const calls = screen.getByTestId("session-calls");
  expect(calls.textContent).toContain("where are path parameters decoded");
  expect(calls.textContent).toContain("src/utils/url.ts:");
  fireEvent.click(within(calls).getAllByTestId("session-call")[0] as HTMLElement);
  expect((await screen.findByTestId("call-text")).textContent).toContain("decodePath");
});

it("has one sentence and one action where nothing was asked", async () => {
  show("#/agents?tab=calls", "first");
  await screen.findByText(/No agent has asked anything yet/);
  screen.getByRole("button", { name: "Set up an agent" });
});

it("names what failed", async () => {
  show("#/agents", "failing");
  await screen.findAllByRole("alert");
});
