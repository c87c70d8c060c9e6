import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Selection } from "../../app/selection";
import type { ImpactHit, TestPlace } from "../../ipc";
import { commands } from "../../ipc/bindings";
import { installRecorded } from "../../ipc/recorded";
import { answer, said } from "../../testing/answer";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { ImpactLens } from "./ImpactLens";

cleanUpAfterEach();

const ROUTER = { repo: "a1b2c3d4e5f6", path: "src/router.ts", line: 16, symbol: "Router" };
const UNUSED = { ...ROUTER, path: "src/utils/url.ts", line: 14, symbol: "getPathNoStrict" };

const selection = (of: Pick<Selection, "repo" | "path" | "line" | "symbol">): Selection => ({
  ...of,
  asOf: null,
  endLine: of.line,
  hit: null,
  queryId: null,
});

/** The demo is sure of all that uses it: here one use is a guess, one class stands in for it, and tests are many. */
async function withRareUses() {
  installRecorded();
  const impact = await said(commands.impact({ ...ROUTER, as_of: null, depth: 0 }));
  const changed = (hit: ImpactHit): ImpactHit => {
    if (hit.caller.qualified === "App.constructor") return { ...hit, confidence: "ambiguous" };
    if (hit.caller.qualified === "SmartRouter") return { ...hit, relation: "implements" };
    return hit;
  };
  const callers = impact.answer.callers.map(changed);
  answer("impact", { ...impact, answer: { ...impact.answer, callers } });
  const asked = { ...ROUTER, as_of: null, depth: 0, reference: null };
  const map = await said(commands.testMap(asked));
  const symbols = map.answer.symbols.map((symbol) => {
    const [test] = symbol.tests;
    if (!test) throw new Error("no test reaches it");
    const named: TestPlace = { ...test, name: "describe routing", line: 3 };
    return { ...symbol, tests: [named, test], n_tests: 6 };
  });
  answer("testMap", { ...map, answer: { ...map.answer, symbols } });
}

it("shows who depends on a definition by step, what replaces it, and its tests", async () => {
  await withRareUses();
  showRecorded(<ImpactLens selection={selection(ROUTER)} />, "#/search?q=router");
  const summary = await screen.findByTestId("impact-summary");
  expect(summary.textContent).toBe("13 definitions depend on it, 7 directly; 1 more may.");
  const direct = within(screen.getByRole("region", { name: "Uses it directly" }));
  const rows = direct.getAllByTestId("impact-row");
  expect(rows.map((row) => row.dataset.guess)).toEqual([...Array(7).fill(undefined), "true"]);
  const overrides = screen.getByRole("region", { name: "Overrides and implementations" });
  expect(overrides.textContent).toContain("SmartRouter");
  const tests = await screen.findByRole("region", { name: "Tests that reach it" });
  await waitFor(() => expect(tests.textContent).toContain("describe routing"));
  expect(tests.textContent).toContain("4 more tests");
  expect(within(tests).getByTestId("impact-copy-tests").textContent).toBe("Copy 2 tests");
});

it("opens the line of a use, and moves over the rows by arrow keys", async () => {
  showRecorded(<ImpactLens selection={selection(ROUTER)} />, "#/search?q=router");
  const [first, second] = await screen.findAllByTestId("impact-row");
  first?.focus();
  fireEvent.keyDown(first as HTMLElement, { key: "ArrowDown" });
  expect(document.activeElement).toBe(second);
  fireEvent.click(first as HTMLElement);
  expect(decodeURIComponent(location.hash)).toContain("at=src/app.ts:10");
});

it("claims that nothing uses it only as far as files were read", async () => {
  installRecorded();
  const impact = await said(commands.impact({ ...UNUSED, as_of: null, depth: 0 }));
  const { by_name } = impact.answer;
  if (!by_name) throw new Error("its name was not looked for");
  const others = { ...by_name, n_ruled_out: 2 };
  answer("impact", { ...impact, answer: { ...impact.answer, by_name: others } });
  showRecorded(<ImpactLens selection={selection(UNUSED)} />);
  const nothing = await screen.findByTestId("impact-nothing");
  expect(nothing.textContent).toBe(
    "Nothing in the 33 files that were read uses it. 2 other places of its name certainly mean something else.",
  );
  expect((await screen.findByTestId("impact-no-tests")).textContent).toBe(
    "No test is known that reaches it in 4 steps.",
  );
});

it("asks for a definition where none is chosen, and says what failed", async () => {
  showRecorded(<ImpactLens selection={selection({ ...ROUTER, symbol: null })} />);
  expect(screen.getByText(/Choose a definition/)).toBeTruthy();
});

it("says what failed, and how to go on", async () => {
  showRecorded(<ImpactLens selection={selection(ROUTER)} />, "", "failing");
  expect(await screen.findByRole("alert")).toBeTruthy();
});
