import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { session } from "../../app/session";
import { lookKey, onRepoChanged, type ReviewResponse } from "../../ipc";
import { commands } from "../../ipc/bindings";
import { installRecorded, type Scene } from "../../ipc/recorded";
import { answer, fail, said } from "../../testing/answer";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { ChangesView } from "./ChangesView";

cleanUpAfterEach();

const REPO = "a1b2c3d4e5f6";
const ROUTER = "src/router.ts";

function show(hash = "#/changes", scene: Scene = "changing") {
  session.set({ repo: REPO });
  return showRecorded(<ChangesView />, hash, scene);
}

/** The review of much that changed, changed as no state of the demo makes it. */
async function reviewed(change: (review: ReviewResponse) => Partial<ReviewResponse>) {
  installRecorded("changing");
  const request = { repo: REPO, reference: "", path: null, max_files: 0 };
  const review = await said(commands.reviewDiff(request));
  answer("reviewDiff", { ...review, answer: { ...review.answer, ...change(review.answer) } });
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
    "7 definitions in 5 files · highest risk 73 of 100 · 3 callers did not follow · 1 near-duplicate",
  );
});

it("says of a definition why, what its head was, and who did not follow", async () => {
  show();
  const pane = await screen.findByTestId("changes-pane");
  expect(pane.textContent).toContain("Its signature changed, and 2 users did not.");
  expect(within(pane).getByTestId("changes-signature").textContent).toContain(
    "match(method: Method, path: string): Match<T>",
  );
  const [caller] = within(pane).getAllByTestId("changes-caller");
  fireEvent.click(caller as HTMLElement);
  expect(decodeURIComponent(location.hash)).toContain("at=src/app.ts:38");
});

it("shows the lines that differ, those of the definition marked", async () => {
  show();
  const diff = await screen.findByTestId("changes-diff");
  const added = () => [...diff.querySelectorAll<HTMLElement>("[data-line-kind=added]")];
  expect(added().map((line) => line.dataset.main)).toEqual(["true"]);
  fireEvent.click(screen.getByTestId("changes-whole-file"));
  expect(added().map((line) => line.dataset.main)).toEqual([undefined, "true"]);
  expect(added()[1]?.textContent).toContain("added");
});

it("says what is left out of the lines", async () => {
  installRecorded("changing");
  const diff = await said(commands.fileDiff({ repo: REPO, reference: "", path: ROUTER }));
  // The demo has no secret.
  answer("fileDiff", {
    ...diff,
    answer: { ...diff.answer, note: "1 line with a secret is struck" },
  });
  show();
  const shown = await screen.findByTestId("changes-diff");
  expect(shown.textContent).toContain("1 line with a secret is struck");
});

it("goes over the rows by keys, and into the chosen one and back", async () => {
  show();
  await screen.findAllByTestId("changes-row");
  key("j");
  expect(chosen()).toContain("moved to src/utils/path.ts");
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
  expect(decodeURIComponent(location.hash)).toContain("at=src/router.ts:22");
});

it("lists the tests to run, and copies them", async () => {
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  show();
  await screen.findAllByTestId("changes-row");
  key("t");
  const button = await screen.findByTestId("changes-copy-tests");
  expect(button.textContent).toBe("Copy 1 test");
  fireEvent.click(button);
  await waitFor(() => expect(writeText).toHaveBeenCalledOnce());
  expect(writeText.mock.calls[0]?.[0]).toContain("src/router/trie-router/router.test.ts:7");
  key("c");
  await waitFor(() => expect(writeText).toHaveBeenCalledTimes(2));
  expect(writeText.mock.calls[1]?.[0]).toContain("**73** `Router.match` (signature changed)");
});

it("lists the memos about changed files", async () => {
  show();
  await screen.findAllByTestId("changes-row");
  key("m");
  const memos = await screen.findByTestId("changes-memos");
  expect(memos.textContent).toMatch(/[1-9] memos? (is|are) about files that changed/);
});

it("says which files are staged beside those that are not", async () => {
  show();
  const state = await screen.findByTestId("changes-state");
  expect(state.textContent).toContain("1 file staged");
  expect(state.textContent).toContain("5 files not staged");
  expect(state.textContent).toContain("2 files not tracked");
});

it("says that a merge is under way, and what is in conflict", async () => {
  show("#/changes", "merging");
  const state = await screen.findByTestId("changes-state");
  expect(state.textContent).toContain("A merge is under way.");
  expect(state.textContent).toContain("1 file in conflict");
});

it("says with what a merge is compared", async () => {
  await reviewed(() => ({ notes: ["HEAD is a merge: compared with its first parent"] }));
  show();
  const [note] = await screen.findAllByTestId("changes-note");
  expect(note?.textContent).toContain("compared with its first parent");
});

it("says against what nothing changed", async () => {
  show("#/changes", "unchanged");
  const nothing = await screen.findByTestId("changes-nothing");
  expect(nothing.textContent).toMatch(/Nothing changed since HEAD \([0-9a-f]{10}\)\./);
});

it("offers the commits that are ahead where nothing is uncommitted", async () => {
  show("#/changes", "ahead");
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
  await reviewed(({ symbols: [symbol] }) => ({
    symbols: Array.from({ length: 5000 }, (_, at) => {
      if (!symbol) throw new Error("nothing is changed");
      const path = `src/generated/file-${at}.ts`;
      return { ...symbol, symbol: { ...symbol.symbol, path } };
    }),
    n_left_out: 1200,
  }));
  show();
  const rows = await screen.findAllByTestId("changes-row");
  expect(rows.length).toBeLessThan(80);
  expect(Number(rows[0]?.getAttribute("aria-setsize"))).toBeGreaterThan(10_000);
  expect(screen.getByTestId("changes-cut").textContent).toContain("1,200 more changed files");
});

it("says that git knows nothing of the folder", async () => {
  const message = "/home/me/code/switchyard is not in a git repository";
  fail("reviewDiff", { code: "not-a-repository", message, hint: "run `git init` there" });
  show();
  expect((await screen.findByRole("alert")).textContent).toContain("not in a git repository");
});

it("says that there is no commit to compare with", async () => {
  installRecorded("unchanged");
  const state = await said(commands.changeState(REPO));
  answer("changeState", { ...state, answer: { ...state.answer, head: null } });
  const message = "the repository has no commit yet";
  fail("reviewDiff", { code: "unknown-revision", message, hint: "give a path to look at" });
  show();
  expect((await screen.findByTestId("changes-no-commit")).textContent).toContain("no commit yet");
});

it("says what is missing while the index is built", async () => {
  await reviewed(() => ({ without: "the index is being built: users and tests follow" }));
  show();
  const [note] = await screen.findAllByTestId("changes-note");
  expect(note?.textContent).toContain("The index is being built");
});

it("asks again when the index has changed, and keeps the list until then", async () => {
  const client = show();
  await screen.findAllByTestId("changes-row");
  installRecorded("unchanged");
  onRepoChanged(client, REPO);
  expect(client.getQueryData(lookKey(REPO))).toMatchObject({ index_state: "" });
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
