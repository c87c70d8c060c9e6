import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "../../app/session";
import type { Memo } from "../../ipc";
import { commands, type MemoImport } from "../../ipc/bindings";
import { answer } from "../../testing/answer";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { MemoryView } from "./MemoryView";

beforeEach(() => {
  localStorage.clear();
  session.set({ repo: "a1b2c3d4e5f6" });
});

cleanUpAfterEach();

function show(hash = "#/memory", scene: "full" | "first" | "failing" = "full") {
  showRecorded(<MemoryView />, hash, scene);
}

const rows = () => screen.findAllByTestId("memory-row");
const pane = () => screen.findByTestId("memory-pane");

it("lists memos, the pinned one first, and shows the chosen one", async () => {
  show();
  const [first] = await rows();
  expect(first?.textContent).toContain("Routers are chosen by SmartRouter");
  expect((await pane()).querySelector("strong")?.textContent).toBe("SmartRouter");
  fireEvent.keyDown(screen.getByTestId("memory-list"), { key: "ArrowDown" });
  await waitFor(async () => expect((await pane()).textContent).toContain("Benchmarks run five"));
});

it("draws only the lanes that are in sight, and chooses by them", async () => {
  show();
  const lanes = await screen.findAllByTestId("memory-lane");
  expect(lanes.length).toBeLessThan(40);
  fireEvent.click(lanes[2] as HTMLElement);
  await waitFor(async () => expect((await pane()).textContent).toContain("A 404 is a text"));
});

it("asks as of a commit and as known at a moment, and says so", async () => {
  show();
  fireEvent.keyDown(await screen.findByTestId("memory-commits"), { key: "ArrowLeft" });
  expect((await screen.findByTestId("memory-banner")).textContent).toMatch(/As of [0-9a-f]{8}/);
  fireEvent.keyDown(screen.getByTestId("memory-recorded"), { key: "ArrowLeft" });
  expect((await screen.findByTestId("memory-banner")).textContent).toContain("as known at");
  fireEvent.click(screen.getByTestId("memory-now"));
  await waitFor(() => expect(screen.queryByTestId("memory-banner")).toBeNull());
});

it("shows what an edit changes before it is kept, and undoes it as a version", async () => {
  show();
  await pane();
  fireEvent.click(screen.getByTestId("memory-edit"));
  const text = await screen.findByTestId("memory-content");
  expect(screen.getByTestId("memory-save").hasAttribute("disabled")).toBe(true);
  fireEvent.change(text, { target: { value: "Routers are chosen by hand" } });
  const dialog = screen.getByRole("dialog");
  expect(within(dialog).getByText("hand", { selector: "ins" })).toBeTruthy();
  fireEvent.click(screen.getByTestId("memory-save"));
  await waitFor(async () =>
    expect((await pane()).textContent).toContain("Routers are chosen by hand"),
  );
  expect(screen.getByTestId("memory-done").textContent).toContain("new version");
  fireEvent.click(screen.getByTestId("memory-undo"));
  await waitFor(() => expect(screen.getByTestId("memory-done").textContent).toContain("Undone"));
});

it("writes a memo with the anchor that a hit brought", async () => {
  show("#/memory?new=1&path=src/app.ts&from=3&to=9");
  fireEvent.change(await screen.findByTestId("memory-content"), { target: { value: "A new one" } });
  expect(screen.getByRole("dialog").textContent).toContain("src/app.ts:3-9");
  fireEvent.click(screen.getByTestId("memory-save"));
  await waitFor(async () => expect((await pane()).textContent).toContain("A new one"));
});

it("asks before what was written is discarded, and keeps it unless told", async () => {
  show("#/memory?new=1");
  const text = await screen.findByTestId<HTMLTextAreaElement>("memory-content");
  fireEvent.change(text, { target: { value: "Half a thought" } });
  fireEvent.keyDown(text, { key: "Escape" });
  const stay = await screen.findByTestId("memory-stay");
  expect(document.activeElement).toBe(stay);
  fireEvent.keyDown(stay, { key: "Escape" });
  await waitFor(() => expect(screen.queryByTestId("memory-leaving")).toBeNull());
  expect(text.value).toBe("Half a thought");
  expect(document.activeElement).toBe(text);
  fireEvent.click(screen.getByText("Cancel"));
  fireEvent.click(await screen.findByTestId("memory-discard"));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("closes an editor in which nothing was written at once", async () => {
  show("#/memory?new=1&path=src/app.ts&from=3&to=9");
  fireEvent.keyDown(await screen.findByTestId("memory-content"), { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("hears Escape when nothing in the dialog has the focus any more", async () => {
  show("#/memory?new=1");
  (await screen.findByTestId("memory-content")).blur();
  fireEvent.keyDown(document.body, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("shows drift with its difference, and follows the code", async () => {
  show();
  await rows();
  chooseState("drifted");
  const anchor = await screen.findByTestId("memory-anchor");
  await waitFor(() =>
    expect(screen.getByTestId("memory-anchor").textContent).toContain("+const LIMIT = 8192;"),
  );
  expect(anchor).toBeTruthy();
  fireEvent.click(screen.getByTestId("memory-reanchor"));
  expect((await screen.findByTestId("memory-done")).textContent).toContain("where the code is now");
});

it("shows the words that a version changed, and brings one back", async () => {
  show();
  await pane();
  fireEvent.click(screen.getByLabelText("History (2)"));
  const versions = await screen.findAllByTestId("memory-version");
  expect(versions[0]?.querySelector("ins")?.textContent).toContain("SmartRouter");
  fireEvent.click(screen.getByTestId("memory-revert"));
  expect((await screen.findByTestId("memory-done")).textContent).toContain("Restored");
});

it("puts contradictions side by side", async () => {
  show();
  await rows();
  chooseState("conflicts");
  const conflict = await screen.findByTestId("memory-conflict");
  expect(conflict.textContent).toContain("Always validate");
  expect(conflict.textContent).toContain("Never validate");
});

it("narrows contradictions by text, and says when none is left", async () => {
  show();
  await rows();
  chooseState("conflicts");
  await screen.findByTestId("memory-conflict");
  const text = screen.getByTestId("memory-text");
  fireEvent.change(text, { target: { value: "NEVER validate" } });
  await waitFor(() => expect(screen.getAllByTestId("memory-conflict")).toHaveLength(1));
  fireEvent.change(text, { target: { value: "nobody wrote this" } });
  await waitFor(() => expect(screen.queryByTestId("memory-conflict")).toBeNull());
  fireEvent.click(screen.getByText("Clear filters"));
  await screen.findByTestId("memory-conflict");
});

it("reaches the last of many memos, page by page", async () => {
  // No demo has as many: the recorded ones, again and again.
  const ask = commands.memos;
  vi.spyOn(commands, "memos").mockImplementation(async (request) => {
    const outcome = await ask({ ...request, offset: 0 });
    if (outcome.status === "error") return outcome;
    const { memos } = outcome.data.answer;
    const from = request.offset ?? 0;
    const page = Array.from({ length: Math.min(200, 1005 - from) }, (_, at) => ({
      ...(memos[(from + at) % memos.length] as Memo),
      id: `m${from + at}`,
    }));
    const answer = { ...outcome.data.answer, memos: page, n_found: 1005 };
    return { status: "ok", data: { ...outcome.data, answer } };
  });
  show();
  await rows();
  expect(screen.getByTestId("memory-count").textContent).toBe("1,005 memos");
  fireEvent.keyDown(screen.getByTestId("memory-list"), { key: "End" });
  await waitFor(async () => expect((await pane()).textContent).toContain("Handlers get decoded"));
  fireEvent.keyDown(screen.getByTestId("memory-list"), { key: "Home" });
  await waitFor(async () => expect((await pane()).textContent).toContain("SmartRouter"));
  expect((await rows()).length).toBeLessThan(60);
});

it("opens the code of an anchor, and says where memory lies", async () => {
  show("#/memory?new=1&path=src/app.ts&from=3&to=9");
  fireEvent.click(await screen.findByTestId("memory-anchor-show"));
  expect(await screen.findByTestId("memory-pick")).toBeTruthy();
  fireEvent.click(screen.getByText("Cancel"));
  fireEvent.click(screen.getByTestId("memory-exchange"));
  fireEvent.click(await screen.findByText("Where memory is stored"));
  expect((await screen.findByTestId("memory-other")).textContent).toContain("1 memo");
  fireEvent.click(screen.getByTestId("memory-attach"));
  fireEvent.click(await screen.findByTestId("memory-detach"));
  await waitFor(() => expect(screen.queryByTestId("memory-detach")).toBeNull());
});

it("asks before an import ends memos that are here", async () => {
  show();
  await rows();
  const found: MemoImport = {
    n_added: 3,
    n_known: 40,
    n_purged: 0,
    n_kept: 0,
    n_edited: 0,
    n_endings: 1,
    are_endings_taken: false,
    endings: [
      {
        memo: "m-a-404-is-a",
        content: "A 404 is a text",
        act: "forgotten",
        author: { name: "Bo", is_client: false, call: null },
      },
    ],
    n_conflicts: 1,
  };
  answer("memoImport", found);
  fireEvent.click(screen.getByTestId("memory-exchange"));
  fireEvent.click(await screen.findByText("Import"));
  expect((await screen.findByTestId("memory-endings")).textContent).toContain("forgotten by Bo");
  answer("memoImport", { ...found, are_endings_taken: true });
  fireEvent.click(screen.getByTestId("memory-retire"));
  await waitFor(() =>
    expect(screen.getByTestId("memory-imported").textContent).toContain("1 ends taken in"),
  );
  expect(screen.queryByTestId("memory-endings")).toBeNull();
});

it("says what memory is for where there is none, and what failed", async () => {
  show("#/memory", "first");
  expect(await screen.findByText(/Choose a repository|No memos about/)).toBeTruthy();
  cleanup();
  show("#/memory", "failing");
  expect(await screen.findByRole("alert")).toBeTruthy();
});

/** As a person without the mouse would: the list of the system stands behind the field, unseen. */
function chooseState(value: string) {
  const list = screen.getByTestId("memory-state").querySelector("select");
  if (list) fireEvent.change(list, { target: { value } });
}

it("lists the memos of several repositories as one, each with its own, and narrows to one", async () => {
  session.set({ scope: { of: "a1b2c3d4e5f6", name: "all" } });
  show();
  await rows();
  const repos = () => screen.queryAllByTestId("memory-repo").map((one) => one.textContent);
  expect(new Set(repos()).size).toBeGreaterThan(1);
  expect(screen.queryByTestId("memory-timeline")).toBeNull();
  expect(screen.queryByTestId("memory-missing")).toBeNull();
  const pressed = () =>
    screen.getAllByTestId("memory-part").map((one) => one.getAttribute("aria-pressed"));
  expect(pressed().indexOf("true")).toBe(0);
  await waitFor(() => expect(screen.getAllByTestId("memory-part")[1]?.textContent).toMatch(/\d+$/));
  fireEvent.click(screen.getAllByTestId("memory-part")[2] as HTMLElement);
  await waitFor(() => expect(pressed().indexOf("true")).toBe(2));
  await waitFor(() => expect(repos()).toHaveLength(0));
  expect(await screen.findByTestId("memory-timeline")).toBeTruthy();
});

it("says which of several repositories could not be asked, and edits a memo where it belongs", async () => {
  session.set({ scope: { of: "a1b2c3d4e5f6", name: "all" } });
  show();
  await rows();
  fireEvent.keyDown(screen.getByTestId("memory-list"), { key: "ArrowDown" });
  await waitFor(async () => expect((await pane()).textContent).toContain("Edit"));
  const owner = (await rows())[1]?.querySelector("[data-testid=memory-repo]")?.textContent ?? "?";
  fireEvent.click(screen.getByTestId("memory-edit"));
  expect(await screen.findByText(/^Edit memo in /)).toBeTruthy();
  expect((await pane()).textContent).toContain(owner);
  fireEvent.click(screen.getByText("Cancel"));
  fireEvent.change(screen.getByTestId("memory-as-of"), { target: { value: "v1" } });
  fireEvent.blur(screen.getByTestId("memory-as-of"));
  expect((await screen.findByTestId("memory-missing")).textContent).toContain(
    "no commit is called",
  );
});

it("writes nothing while it shows the past, and says so", async () => {
  show();
  await pane();
  fireEvent.change(screen.getByTestId("memory-as-of"), {
    target: { value: "896beb23e7fb1ce0c4d8cf41eced446e98bd7005" },
  });
  fireEvent.blur(screen.getByTestId("memory-as-of"));
  expect((await screen.findByTestId("memory-banner")).textContent).toContain("read-only");
  const writing = ["new", "edit", "supersede", "pin", "forget", "purge-open"];
  const isOff = (id: string) => screen.getByTestId(`memory-${id}`).hasAttribute("disabled");
  expect(writing.filter((id) => !isOff(id))).toEqual([]);
  const tier = within(await pane()).getByRole("group", { name: "Tier" });
  expect(tier.hasAttribute("disabled")).toBe(true);
  fireEvent.keyDown(document.body, { key: "e" });
  fireEvent.keyDown(document.body, { key: "n" });
  expect(screen.queryByTestId("memory-content")).toBeNull();
  fireEvent.click(screen.getByTestId("memory-now"));
  await waitFor(() => expect(writing.filter(isOff)).toEqual([]));
});

it("puts what waits for a decision first, and marks it in the list", async () => {
  show();
  const conflicts = await screen.findByTestId("memory-inbox-conflicts");
  expect(conflicts.textContent).toBe("1 conflict");
  await waitFor(async () =>
    expect((await rows()).filter((row) => /conflict/.test(row.textContent ?? ""))).toHaveLength(2),
  );
  fireEvent.click(await screen.findByTestId("memory-inbox-drifted"));
  await waitFor(async () =>
    expect((await rows()).every((row) => /drifted/.test(row.textContent ?? ""))).toBe(true),
  );
  fireEvent.click(conflicts);
  expect(conflicts.getAttribute("aria-pressed")).toBe("true");
});
