import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Selection } from "../../app/selection";
import { cleanUpAfterEach, showView } from "../../testing/show";
import { ImpactLens } from "./ImpactLens";

cleanUpAfterEach();

const selection = (symbol: string | null): Selection => ({
  repo: "a1b2c3d4e5f6",
  asOf: null,
  path: "src/router.ts",
  line: 29,
  endLine: 47,
  symbol,
  hit: null,
  queryId: null,
});

it("shows who depends on a definition by step, what replaces it, and its tests", async () => {
  showView(<ImpactLens selection={selection("Router")} />, "#/search?q=router");
  const summary = await screen.findByTestId("impact-summary");
  expect(summary.textContent).toBe("3 definitions depend on it, 1 directly; 1 more may.");
  const direct = within(screen.getByRole("region", { name: "Uses it directly" }));
  const rows = direct.getAllByTestId("impact-row");
  expect(rows.map((row) => row.dataset.guess)).toEqual([undefined, "true"]);
  const overrides = screen.getByRole("region", { name: "Overrides and implementations" });
  expect(overrides.textContent).toContain("SmartRouter");
  const tests = await screen.findByRole("region", { name: "Tests that reach it" });
  await waitFor(() => expect(tests.textContent).toContain("describe routing"));
  expect(tests.textContent).toContain("4 more tests");
  expect(within(tests).getByTestId("impact-copy-tests").textContent).toBe("Copy 2 tests");
});

it("opens the line of a use, and moves over the rows by arrow keys", async () => {
  showView(<ImpactLens selection={selection("Router")} />, "#/search?q=router");
  const [first, second] = await screen.findAllByTestId("impact-row");
  first?.focus();
  fireEvent.keyDown(first as HTMLElement, { key: "ArrowDown" });
  expect(document.activeElement).toBe(second);
  fireEvent.click(first as HTMLElement);
  expect(decodeURIComponent(location.hash)).toContain("at=src/hono-base.ts:93");
});

it("claims that nothing uses it only as far as files were read", async () => {
  showView(<ImpactLens selection={selection("RegExpRouter")} />);
  const nothing = await screen.findByTestId("impact-nothing");
  expect(nothing.textContent).toBe(
    "Nothing in the 412 files that were read uses it. 2 other places of its name certainly mean something else.",
  );
  expect((await screen.findByTestId("impact-no-tests")).textContent).toBe(
    "No test is known that reaches it in 4 steps.",
  );
});

it("asks for a definition where none is chosen, and says what failed", async () => {
  showView(<ImpactLens selection={selection(null)} />);
  expect(screen.getByText(/Choose a definition/)).toBeTruthy();
});

it("says what failed, and how to go on", async () => {
  showView(<ImpactLens selection={selection("Router")} />, "", "failing");
  expect(await screen.findByRole("alert")).toBeTruthy();
});
