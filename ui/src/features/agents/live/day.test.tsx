import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { CallLog, CallSession, SessionCost } from "../../../ipc";
import { commands } from "../../../ipc/bindings";
import { cleanUpAfterEach, showRecorded } from "../../../testing/show";
import { AgentsView } from "../AgentsView";
import { dayOf, grepOfDay } from "./day";
import { dayCard, dayMarkdown } from "./day-card";

cleanUpAfterEach();

const NOW = new Date("2026-05-28T12:00:00");
const HOUR = 3_600_000;
const sums = (calls: number, hoursAgo: number, id = "") => ({
  name: id,
  session: id ? { client: "cursor", id } : null,
  calls,
  failed: 1,
  tokens: 100 * calls,
  p50_ms: 1,
  p95_ms: 2,
  last_ms: NOW.getTime() - hoursAgo * HOUR,
});
const line = (id: number, hoursAgo: number) => ({
  id,
  at_ms: NOW.getTime() - hoursAgo * HOUR,
  client: "cursor",
  client_version: "1",
  transport: "stdio",
  session: "s-1",
  tool: "search",
  args: "{}",
  ms: 1,
  tokens: 100,
  hits: 1,
  query_id: null,
  error: null,
});
const shown = (...paths: string[]) => paths.map((path) => ({ path, start_line: 1, end_line: 2 }));
const LOG: CallLog = {
  is_on: true,
  calls: [],
  total: sums(9, 1),
  day: sums(3, 1),
  clients: [],
  sessions: [sums(4, 1, "s-1"), sums(5, 30, "s-0")],
};
const SESSION: CallSession = {
  calls: [
    { line: line(1, 30), shown: shown("old.ts") },
    { line: line(2, 2), shown: shown("a|b.ts", "a|b.ts", "<b>.ts") },
    { line: line(3, 1), shown: shown("a|b.ts") },
    { line: line(4, 1), shown: null },
  ],
  total: sums(4, 1),
  waited_ms: 4,
  files: [],
};
const grepped = (id: number) => ({ id, n_shown: 3, n_found: 2, tokens: 100, grep_tokens: 900 });
const COST: SessionCost = {
  baseline: "smart-grep-fair",
  n_calls: 4,
  calls: [grepped(1), grepped(3)],
};
const DAY = dayOf(LOG, [SESSION], [COST], NOW.getTime());

it("sums up what was asked in 24 hours, nothing of before", () => {
  expect(DAY).toMatchObject({ calls: 3, tokens: 300, sessions: "1", clients: ["cursor"] });
  expect(DAY.files).toEqual([
    { path: "a|b.ts", calls: 2 },
    { path: "<b>.ts", calls: 1 },
  ]);
  expect(DAY.grep).toEqual({ calls: 1, tokens: 900, own: 100, found: 2, shown: 3 });
});

it("says of how many calls a comparison speaks, and nothing where grep was not asked", () => {
  expect(grepOfDay(DAY)).toBe(
    "For 1 of 3 calls, grep prints 900 tokens where Whyrank answered with 100, and shows 2 of the 3 places.",
  );
  expect(grepOfDay({ ...DAY, grep: null })).toBe("");
});

it("says that there may be more sessions than are summed up", () => {
  const sessions = Array.from({ length: 20 }, (_, at) => sums(1, 1, `s-${at}`));
  expect(dayOf({ ...LOG, sessions }, [], [], NOW.getTime()).sessions).toBe("20 or more");
});

it("draws a whole picture, in which paths stay text", () => {
  const { svg } = dayCard(DAY, NOW);
  const drawn = new DOMParser().parseFromString(svg, "image/svg+xml");
  expect(drawn.querySelector("parsererror")).toBeNull();
  expect(svg).toContain("&lt;b&gt;.ts");
  expect(svg).toContain("900 tokens");
  expect(dayCard({ ...DAY, grep: null, files: [] }, NOW).svg).toContain("No files were shown");
});

it("is Markdown that no path breaks", () => {
  expect(dayMarkdown(DAY, NOW).split("\n")).toEqual([
    "### What my agents asked, 24 hours until 28 May 2026, 12:00 · cursor",
    "",
    "- **3** calls, 1 failed",
    "- **1** session",
    "- **300** tokens in answers",
    "- **2** files shown",
    "",
    grepOfDay(DAY),
    "",
    "| file | calls that showed it |",
    "|---|--:|",
    "| `a\\|b.ts` | 2 |",
    "| `<b>.ts` | 1 |",
    "",
  ]);
});

it("sums up the recorded day, asks grep when it is told to, and is copied", async () => {
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const grep = vi.spyOn(commands, "sessionCost").mockImplementation(async (session) => ({
    status: "ok",
    data: { ...COST, calls: session === "s-cursor" ? [grepped(6)] : [] },
  }));
  showRecorded(<AgentsView />, "#/agents?tab=live");
  const card = await screen.findByTestId("day-card");
  await waitFor(() => expect(card.textContent).toContain("src/router.ts"));
  expect(grep).not.toHaveBeenCalled();
  fireEvent.click(within(card).getByTestId("day-measure"));
  await waitFor(() => expect(card.textContent).toContain("For 1 of 6 calls, grep prints 900"));
  await waitFor(() =>
    expect(screen.getAllByTestId("live-call")[0]?.textContent).toContain("grep: 900 tokens"),
  );
  fireEvent.click(within(card).getByTestId("day-share"));
  fireEvent.click(await screen.findByRole("menuitem", { name: /Copy as Markdown/ }));
  await waitFor(() => expect(writeText).toHaveBeenCalledOnce());
  expect(writeText.mock.calls[0]?.[0]).toContain("**2** sessions");
});
