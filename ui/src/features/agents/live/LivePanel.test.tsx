import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Rail } from "../../../app/Rail";
import { parseRoute } from "../../../app/route";
import type { CallLine, CallLog } from "../../../ipc";
import { commands } from "../../../ipc/bindings";
import { cleanUpAfterEach, showRecorded } from "../../../testing/show";
import { AgentsView } from "../AgentsView";

cleanUpAfterEach();

const open = (scene?: "first" | "failing") =>
  showRecorded(<AgentsView />, "#/agents?tab=live", scene);
const rows = () => screen.findAllByTestId("live-call");
const key = (name: string) => fireEvent.keyDown(screen.getByTestId("live-list"), { key: name });

/** The log as recorded, changed by a test. */
function changed(change: (log: CallLog) => Partial<CallLog>) {
  const asked = commands.calls;
  return vi.spyOn(commands, "calls").mockImplementation(async (request) => {
    const answer = await asked(request);
    return answer.status === "ok"
      ? { ...answer, data: { ...answer.data, ...change(answer.data as CallLog) } }
      : answer;
  });
}

it("lists what is asked, newest first: who, in which session, and the tokens of the answer", async () => {
  open();
  const [newest, second, third] = await rows();
  expect(newest?.textContent).toContain("NoSuchName");
  expect(newest?.textContent).toContain("not found");
  expect(second?.textContent).toContain("how is a router chosen");
  expect(second?.textContent).toContain("cursor");
  expect(second?.textContent).toContain("s-cursor");
  expect(second?.textContent).toContain("370 tokens");
  expect(third?.textContent).toContain("claude-code");
});

it("leads from a search to its reasons by one click", async () => {
  open();
  const [, search] = await rows();
  expect(search?.textContent).toContain("Why");
  fireEvent.click(search as HTMLElement);
  expect(parseRoute(location.hash)).toMatchObject({ view: "explain", id: "q-asked" });
});

it.each([
  ["Enter on a search to its reasons", ["j", "Enter"], { view: "explain", id: "q-asked" }],
  [
    "Enter on another call to the code that it named",
    ["ArrowDown", "ArrowDown", "Enter"],
    { view: "graph", params: { symbol: "mergePath", code: "1" } },
  ],
  ["a to the answer", ["j", "a"], { params: { tab: "calls", call: "5" } }],
  ["s to the session", ["End", "s"], { params: { tab: "sessions", session: "s-claude" } }],
])("leads by %s", async (_, keys, route) => {
  open();
  await rows();
  for (const one of keys) key(one);
  expect(parseRoute(location.hash)).toMatchObject(route);
});

it("shows the answer of what failed, as it named nothing", async () => {
  open();
  const [failed] = await rows();
  fireEvent.click(failed as HTMLElement);
  expect(parseRoute(location.hash).params).toMatchObject({ tab: "calls", call: "6" });
});

it("asks no more while it is paused", async () => {
  open();
  await rows();
  fireEvent.click(screen.getByTestId("live-pause"));
  expect(screen.getByTestId("live-state").textContent).toContain("Paused");
  const asked = vi.spyOn(commands, "calls");
  await new Promise((resolve) => setTimeout(resolve, 1_800));
  expect(asked).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: "p" });
  expect(screen.getByTestId("live-state").textContent).toContain("Following");
});

it("draws a part of hundreds of calls, and keeps the chosen one when others come", async () => {
  const many = (log: CallLog, newest: number) =>
    Array.from({ length: 400 }, (_, at) => ({ ...(log.calls[0] as CallLine), id: newest - at }));
  let newest = 1_000;
  changed((log) => ({ calls: many(log, newest) }));
  open();
  const first = await rows();
  expect(first.length).toBeLessThan(60);
  expect(first[0]?.getAttribute("aria-setsize")).toBe("400");
  key("j");
  const chosen = () =>
    screen
      .getAllByTestId("live-call")
      .findIndex((row) => row.getAttribute("aria-selected") === "true");
  newest += 2;
  await waitFor(() => expect(chosen()).toBe(3));
});

it("says what to do where nothing was asked", async () => {
  open("first");
  await screen.findByText(/No agent has asked anything yet/);
  screen.getByRole("button", { name: "Set up an agent" });
});

it("says that nothing new comes while recording is off, and switches it on", async () => {
  changed(() => ({ is_on: false }));
  const kept = vi.spyOn(commands, "keepCalls").mockResolvedValue({ status: "ok", data: null });
  open();
  const off = await screen.findByTestId("live-off");
  fireEvent.click(within(off).getByRole("button", { name: "Record calls" }));
  await waitFor(() => expect(kept).toHaveBeenCalledWith(true));
});

it("names what failed", async () => {
  const error = { code: "calls", message: "the log cannot be read", hint: "clear it" };
  vi.spyOn(commands, "calls").mockResolvedValue({ status: "error", error });
  open();
  expect((await screen.findByRole("alert")).textContent).toContain("The log cannot be read");
});

it("marks Agents in the rail while one works, and leads to what it asks", async () => {
  showRecorded(<Rail view="search" onPalette={() => undefined} />, "#/search");
  const item = await screen.findByRole("button", { name: "Agents: cursor is at work" });
  expect(within(item).getByTestId("rail-badge")).toBeTruthy();
  fireEvent.click(item);
  expect(location.hash).toBe("#/agents?tab=live");
});

it("marks nothing when the last call is long ago", async () => {
  const asked = commands.lastCall;
  vi.spyOn(commands, "lastCall").mockImplementation(async () => {
    const answer = await asked();
    return answer.status === "ok" && answer.data
      ? { ...answer, data: { ...answer.data, at_ms: 1 } }
      : answer;
  });
  showRecorded(<Rail view="search" onPalette={() => undefined} />, "#/search");
  await waitFor(() => expect(commands.lastCall).toHaveBeenCalled());
  await waitFor(() => expect(screen.getByRole("button", { name: "Agents" })).toBeTruthy());
  expect(screen.queryByTestId("rail-badge")).toBeNull();
});
