import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { session } from "../../app/session";
import { lookKey, onRepoChanged } from "../../ipc";
import { setMockChanges } from "../../ipc/dev-mock-changes";
import { cleanUpAfterEach, showView } from "../../testing/show";
import { ChangesView } from "./ChangesView";

cleanUpAfterEach();
afterEach(() => setMockChanges(undefined));

const REPO = "a1b2c3d4e5f6";

function show(is?: Parameters<typeof setMockChanges>[0], hash = "#/changes") {
  setMockChanges(is);
  session.set({ repo: REPO });
  return showView(<ChangesView />, hash);
}

const key = (name: string) => fireEvent.keyDown(document.body, { key: name });
const chosen = () =>
  screen.getAllByTestId("changes-row").find((row) => row.getAttribute("aria-selected") === "true")
    ?.textContent;

it("lists what changed by risk, the riskiest first and chosen", async () => {
  show();
  const rows = await screen.findAllByTestId("changes-row");
  expect(rows.map((row) => row.dataset.kind).slice(0, 5)).toEqual([
    "file",
    "symbol",
    "file",
    "broken",
    "file",
  ]);
  expect(chosen()).toContain("Router.match");
  expect(screen.getByTestId("changes-summary").textContent).toContain(
    "5 definitions in 4 files · highest risk 82 of 100 · 5 callers did not follow · 1 near-duplicate",
  );
});

it("says of a definition why, what its head was, and who did not follow", async () => {
  show();
  const pane = await screen.findByTestId("changes-pane");
  expect(pane.textContent).toContain("Its signature changed, and 5 users did not.");
  expect(within(pane).getByTestId("changes-signature").textContent).toContain(
    "match(method: string, path: string): Result<T>",
  );
  const [caller] = within(pane).getAllByTestId("changes-caller");
  fireEvent.click(caller as HTMLElement);
  expect(decodeURIComponent(location.hash)).toContain("at=src/hono-base.ts:204");
});

it("shows the lines that differ, those of the definition marked", async () => {
  show();
  const diff = await screen.findByTestId("changes-diff");
  expect(diff.querySelectorAll("[data-line-kind=added]")).toHaveLength(1);
  fireEvent.click(screen.getByTestId("changes-whole-file"));
  const added = diff.querySelectorAll("[data-line-kind=added]");
  expect(added).toHaveLength(3);
  expect(added[0]?.getAttribute("data-main")).toBe("true");
  expect(added[1]?.getAttribute("data-main")).toBeNull();
  expect(added[0]?.textContent).toContain("added");
  expect(diff.textContent).toContain("1 line with a secret is struck");
});

it("goes over the rows by keys, and into the chosen one and back", async () => {
  show();
  await screen.findAllByTestId("changes-row");
  key("j");
  expect(chosen()).toContain("src/helper/old.ts");
  key("k");
  expect(chosen()).toContain("Router.match");
  const list = screen.getByTestId("changes-list");
  fireEvent.keyDown(list, { key: "Enter" });
  const part = screen.getByRole("region", { name: "Change" });
  expect(document.activeElement).toBe(part);
  fireEvent.keyDown(part, { key: "Escape" });
  expect(document.activeElement).toBe(list);
});

it("opens the chosen definition in Code", async () => {
  show();
  await screen.findAllByTestId("changes-row");
  key("e");
  expect(decodeURIComponent(location.hash)).toContain("at=src/router.ts:29");
});

it("lists the tests to run, and copies them", async () => {
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  show();
  await screen.findAllByTestId("changes-row");
  key("t");
  const button = await screen.findByTestId("changes-copy-tests");
  expect(button.textContent).toBe("Copy 2 tests");
  fireEvent.click(button);
  await waitFor(() => expect(writeText).toHaveBeenCalledOnce());
  expect(writeText.mock.calls[0]?.[0]).toContain("src/hono.test.ts:31 GET Request");
  key("c");
  await waitFor(() => expect(writeText).toHaveBeenCalledTimes(2));
  expect(writeText.mock.calls[1]?.[0]).toContain("**82** `Router.match` (signature changed)");
});

it("lists the memos about changed files", async () => {
  show();
  await screen.findAllByTestId("changes-row");
  key("m");
  const memos = await screen.findByTestId("changes-memos");
  expect(memos.textContent).toMatch(/memo/);
});

it("says which files are staged beside those that are not", async () => {
  show();
  const state = await screen.findByTestId("changes-state");
  expect(state.textContent).toContain("1 file staged");
  expect(state.textContent).toContain("2 files not staged");
  expect(state.textContent).toContain("1 file not tracked");
});

it("says that a merge is under way, and what is in conflict", async () => {
  show("merge");
  const state = await screen.findByTestId("changes-state");
  expect(state.textContent).toContain("A merge is under way.");
  expect(state.textContent).toContain("1 file in conflict");
  const [note] = await screen.findAllByTestId("changes-note");
  expect(note?.textContent).toContain("compared with the first parent");
});

it("says against what nothing changed", async () => {
  show("none");
  const nothing = await screen.findByTestId("changes-nothing");
  expect(nothing.textContent).toContain("Nothing changed since HEAD (4f2a91c).");
});

it("offers the commits that are ahead where nothing is uncommitted", async () => {
  show("ahead");
  const nothing = await screen.findByTestId("changes-nothing");
  const button = await within(nothing).findByRole("button", {
    name: "Review 3 commits since main",
  });
  expect(nothing.textContent).toContain("faster-routes is 3 commits ahead of main");
  fireEvent.click(button);
  await screen.findAllByTestId("changes-row");
  expect(location.hash).toBe("#/changes?base=main");
});

it("draws a part of thousands of files, and says what is left out", async () => {
  show("many");
  const rows = await screen.findAllByTestId("changes-row");
  expect(rows.length).toBeLessThan(80);
  expect(Number(rows[0]?.getAttribute("aria-setsize"))).toBeGreaterThan(10_000);
  expect(screen.getByTestId("changes-cut").textContent).toContain("1,200 more changed files");
});

it("says that git knows nothing of the folder", async () => {
  show("no-git");
  expect((await screen.findByRole("alert")).textContent).toContain("not in a git repository");
});

it("says that there is no commit to compare with", async () => {
  show("no-commit");
  expect((await screen.findByTestId("changes-no-commit")).textContent).toContain("no commit yet");
});

it("says what is missing while the index is built", async () => {
  show("building");
  const [note] = await screen.findAllByTestId("changes-note");
  expect(note?.textContent).toContain("The index is being built");
});

it("asks again when the index has changed, and keeps the list until then", async () => {
  const client = show();
  await screen.findAllByTestId("changes-row");
  setMockChanges("none");
  onRepoChanged(client, REPO);
  expect(client.getQueryData(lookKey(REPO))).toBeUndefined();
  expect(screen.getAllByTestId("changes-row").length).toBeGreaterThan(5);
  await waitFor(() => expect(screen.getByTestId("changes-nothing")).toBeTruthy());
});

it("chooses another comparison", async () => {
  show();
  await screen.findAllByTestId("changes-row");
  key("b");
  const field = await screen.findByTestId("changes-reference");
  fireEvent.change(field, { target: { value: "v1..v2" } });
  fireEvent.submit(field);
  expect(location.hash).toBe("#/changes?base=v1..v2");
  await waitFor(() =>
    expect(screen.getByTestId("changes-compare").textContent).toContain("Range v1..v2"),
  );
});
