import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { overIn } from "../../../app/on-map";
import { navigate, parseRoute } from "../../../app/route";
import { session } from "../../../app/session";
import type { EngineFailure, ReviewResponse } from "../../../ipc";
import { commands } from "../../../ipc/bindings";
import { cleanUpAfterEach, showRecorded } from "../../../testing/show";
import { GraphView } from "../GraphView";
import { TileBox } from "./TileBox";
import type { Tile } from "./treemap";

beforeEach(() => session.set({ repo: "a1b2c3d4e5f6" }));
afterEach(() => vi.restoreAllMocks());
cleanUpAfterEach();

const show = (hash: string) => showRecorded(<GraphView />, hash);
const NOTHING: ReviewResponse = {
  base: "HEAD",
  notes: [],
  without: "",
  symbols: [],
  files: [],
  others: [],
  broken_imports: [],
  moved_files: [],
  removed_files: [],
  unread: [],
  n_left_out: 0,
};

function reviewed(review: ReviewResponse) {
  vi.spyOn(commands, "reviewDiff").mockResolvedValue({
    status: "ok",
    data: { answer: review, looks: [] },
  });
}

it("lists the files that a session was shown, and says which are not on the map", async () => {
  show("#/graph?over=session&session=s-cursor");
  const panel = await screen.findByTestId("map-over");
  expect(within(panel).getByRole("heading").textContent).toBe("Files that cursor was shown");
  const files = within(panel).getAllByTestId("map-over-file");
  const off = files.filter((one) => one.textContent?.includes("not on the map"));
  expect(off.length).toBeGreaterThan(0);
  expect(off.length).toBeLessThan(files.length);
  const legend = within(panel).getByRole("list", { name: "Legend" });
  expect(legend.textContent).toMatch(
    new RegExp(`^Shown in answers: ${files.length} files, ${off.length} not on the map$`),
  );
  expect(screen.getByTestId("graph-map").dataset.over).toBe("true");
  const nLit = files.length - off.length;
  expect(screen.getByTestId("map-status").textContent).toContain(`${nLit} of `);
  expect(screen.getByTestId("map-status").textContent).toContain("lit; the others are dimmed");
});

it("leads through the files by keys, and into the graph of one", async () => {
  show("#/graph?over=session&session=s-cursor");
  const [first, second] = await screen.findAllByTestId("map-over-file");
  first?.focus();
  fireEvent.keyDown(first as HTMLElement, { key: "ArrowDown" });
  await waitFor(() => expect(document.activeElement).toBe(second));
  fireEvent.click(second as HTMLElement);
  await waitFor(() => expect(parseRoute(location.hash).params.path).toBeTruthy());
});

it("gives the map back on Escape", async () => {
  navigate({ view: "agents" });
  show("#/graph?over=session&session=s-cursor");
  await screen.findByTestId("map-over");
  fireEvent.keyDown(document.body, { key: "Escape" });
  await screen.findByTestId("graph-central");
  expect(overIn(parseRoute(location.hash).params)).toBeNull();
  expect(screen.queryByTestId("map-over")).toBeNull();
});

it("draws what is not committed, and what of it is not known", async () => {
  reviewed({
    ...NOTHING,
    others: ["src/router.ts"],
    without: "the index is older than the change",
  });
  show("#/graph?over=changes");
  const panel = await screen.findByTestId("map-over");
  expect(panel.textContent).toContain("Reach of uncommitted changes");
  expect(panel.textContent).toContain("Changed: 1 file");
  expect(panel.textContent).toContain("The index is older than the change");
});

it("says that nothing differs, with the way to the whole map", async () => {
  reviewed(NOTHING);
  show("#/graph?over=changes");
  await screen.findByText("Nothing differs here.");
  fireEvent.click(screen.getByTestId("map-clear"));
  await screen.findByTestId("graph-central");
});

it("says what failed", async () => {
  const error: EngineFailure = { code: "git", message: "git is not there", hint: "install it" };
  vi.spyOn(commands, "reviewDiff").mockResolvedValue({ status: "error", error });
  show("#/graph?over=changes");
  expect((await screen.findByRole("alert")).textContent).toContain("Git is not there");
  screen.getByRole("button", { name: "Try again" });
});

it("says so where the map itself is not there", async () => {
  const error: EngineFailure = { code: "index", message: "the index is gone", hint: "make it" };
  vi.spyOn(commands, "repositoryMap").mockResolvedValue({ status: "error", error });
  show("#/graph?over=session&session=s-cursor");
  expect((await screen.findByRole("alert")).textContent).toContain("The index is gone");
});

it("lists a session's files where the map has none", async () => {
  const answer = { files: [], edges: [], clusters: [], n_files: 0 };
  vi.spyOn(commands, "repositoryMap").mockResolvedValue({
    status: "ok",
    data: { answer, looks: [] },
  });
  show("#/graph?over=session&session=s-cursor");
  const panel = await screen.findByTestId("map-over");
  expect(panel.textContent).toContain("none on the map");
});

it("draws a file with its users", async () => {
  show("#/graph?over=file&file=src/router.ts");
  const panel = await screen.findByTestId("map-over");
  expect(panel.textContent).toContain("Chosen: 1 file");
  expect(panel.textContent).toMatch(/Uses it: \d+ files/);
});

it("brings files that are lit onto the map, however small they are, and moves no other", async () => {
  const file = (path: string) => ({
    ...{ path, rank: 1, n_lines: 9, n_importers: 0, language: "rust", cluster: 0 },
  });
  reviewed({ ...NOTHING, files: [{ path: "src/small.rs", n_symbols: 1, n_lines: 9, risk: 1 }] });
  vi.spyOn(commands, "repositoryMap").mockImplementation(async ({ also = [] }) => {
    const files = ["src/a.rs", "src/b.rs", ...also].map(file);
    const answer = { files, edges: [], clusters: [], n_files: 400 };
    return { status: "ok", data: { answer, looks: [] } };
  });
  show("#/graph");
  const boxOf = (name: string) => {
    const rect = screen.getByText(name).closest("g")?.querySelector("rect");
    return ["x", "y", "width", "height"].map((side) => rect?.getAttribute(side));
  };
  await screen.findByText("b.rs");
  const before = boxOf("b.rs");
  navigate({ view: "graph", params: { over: "changes" } });
  await waitFor(() => expect(screen.getByTestId("map-status").textContent).toContain("1 of 3"));
  expect(screen.getByTestId("map-over").textContent).not.toContain("on the map");
  expect(boxOf("b.rs")).toEqual(before);
});

it("marks a file by its layer, and leaves the others without a mark", () => {
  const tile = (path: string): Tile => ({
    ...{ path, name: path, file: 0, depth: 0 },
    ...{ x: 0, y: 0, width: 100, height: 50 },
  });
  const of = { index: 0, colour: "red", importance: 1, isOn: false };
  const view = { scale: 1, x: 0, y: 0 };
  render(
    <svg aria-hidden="true">
      <TileBox
        {...of}
        tile={tile("a.ts")}
        view={view}
        size={{ width: 200, height: 90 }}
        lit="dotted"
      />
      <TileBox {...of} tile={tile("b.ts")} view={view} size={{ width: 200, height: 90 }} />
    </svg>,
  );
  const markOf = (name: string) => screen.getByText(name).closest("g")?.dataset.lit;
  expect([markOf("a.ts"), markOf("b.ts")]).toEqual(["dotted", undefined]);
});
