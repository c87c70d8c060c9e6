import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { parseRoute } from "../../app/route";
import { session } from "../../app/session";
import { commands } from "../../ipc/bindings";
import { DEMO, installRecorded } from "../../ipc/recorded";
import { answer, said } from "../../testing/answer";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { GraphView } from "./GraphView";

beforeEach(() => session.set({ repo: "a1b2c3d4e5f6" }));

cleanUpAfterEach();

function show(hash: string, scene: "full" | "first" | "failing" = "full") {
  showRecorded(<GraphView />, hash, scene);
}

const params = () => parseRoute(location.hash).params;
const rows = () => screen.getAllByTestId("graph-row");
const selectedIn = (list: HTMLElement[]) =>
  list.filter(
    (one) => one.dataset.selected !== undefined || one.getAttribute("aria-selected") === "true",
  );

it("lists each node that it draws", async () => {
  show("#/graph?symbol=mergePath");
  const drawn = (await screen.findAllByTestId("graph-node")).map((node) => node.dataset.node);
  const listed = rows().map((row) => row.dataset.nodeId);
  expect(listed.toSorted()).toEqual(drawn.toSorted());
  expect(listed.length).toBeGreaterThan(16);
});

it("selects in the drawing and in the list alike", async () => {
  show("#/graph?symbol=mergePath");
  const nodes = await screen.findAllByTestId("graph-node");
  fireEvent.click(nodes[3] as HTMLElement);
  await waitFor(() => expect(params().node).toBe(nodes[3]?.dataset.node));
  const [row] = selectedIn(rows());
  expect(row?.dataset.nodeId).toBe(nodes[3]?.dataset.node);
  fireEvent.keyDown(screen.getByTestId("graph-list"), { key: "ArrowDown" });
  await waitFor(() => expect(params().node).not.toBe(nodes[3]?.dataset.node));
  const [node] = selectedIn(screen.getAllByTestId("graph-node"));
  expect(node?.dataset.node).toBe(params().node);
});

it("makes the selected symbol the focus on Enter, and goes back and forward", async () => {
  show("#/graph?symbol=Router.match");
  const list = await screen.findByTestId("graph-list");
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) fireEvent.keyDown(list, { key });
  await waitFor(() => expect(params().symbol).not.toBe("Router.match"));
  const second = params().symbol;
  expect(params().line).toBeTruthy();
  fireEvent.click(screen.getByTestId("graph-back"));
  await waitFor(() => expect(params().symbol).toBe("Router.match"));
  fireEvent.click(screen.getByTestId("graph-forward"));
  await waitFor(() => expect(params().symbol).toBe(second));
});

it("folds a side of the list away and brings it back when something in it is selected", async () => {
  show("#/graph?symbol=Router.match");
  const list = await screen.findByTestId("graph-list");
  const before = rows().length;
  fireEvent.keyDown(list, { key: "ArrowDown" });
  fireEvent.keyDown(list, { key: "ArrowLeft" });
  await waitFor(() => expect(rows().length).toBeLessThan(before));
  const caller = screen.getAllByTestId("graph-node")[2];
  fireEvent.click(caller as HTMLElement);
  await waitFor(() => expect(rows().length).toBe(before));
});

it("shows what a cluster holds on a click, and can fold it again", async () => {
  installRecorded();
  const focus = { symbol: "Router.match", path: null, line: null };
  const view = await said(commands.graphView({ repo: DEMO, focus }));
  const [node] = view.answer.nodes;
  if (!node) throw new Error("the graph is empty");
  // The demo is too small for clusters.
  const id = "callers:src/jsx";
  const folded = { ...node, id, kind: "cluster" as const, label: "11 callers", symbol: null };
  const nodes = [...view.answer.nodes, { ...folded, path: "src/jsx", group: 11 }];
  answer("graphView", { ...view, answer: { ...view.answer, nodes } });
  show("#/graph?symbol=Router.match");
  await screen.findAllByTestId("graph-node");
  const cluster = screen.getAllByTestId("graph-node").find((one) => one.dataset.kind === "cluster");
  fireEvent.click(cluster as HTMLElement);
  await waitFor(() => expect(params().open).toBe("callers:src/jsx"));
  fireEvent.click(await screen.findByTestId("graph-fold"));
  await waitFor(() => expect(params().open).toBeUndefined());
});

it("finds a focus while one types", async () => {
  show("#/graph");
  expect(await screen.findAllByTestId("graph-name")).toHaveLength(12);
  const box = screen.getByTestId("graph-focus");
  fireEvent.focus(box);
  fireEvent.change(box, { target: { value: "regexp" } });
  const [option] = await screen.findAllByTestId("code-option");
  expect(option?.textContent).toContain("RegExpRouter");
  fireEvent.keyDown(box, { key: "Enter" });
  await waitFor(() =>
    expect(params()).toMatchObject({
      symbol: "RegExpRouter",
      path: "src/router/reg-exp-router/router.ts",
      line: "12",
    }),
  );
});

it("offers near names for one that is unknown", async () => {
  show("#/graph?symbol=Routr");
  expect((await screen.findByTestId("graph-near")).textContent).toContain("Routr");
  fireEvent.click(screen.getAllByTestId("graph-name")[0] as HTMLElement);
  await waitFor(() => expect(params().symbol).not.toBe("Routr"));
  expect(await screen.findAllByTestId("graph-node")).toBeTruthy();
});

it("draws and lists the ways to another symbol, and comes back", async () => {
  show("#/graph?symbol=Router.match");
  fireEvent.click(await screen.findByTestId("graph-path"));
  const box = await screen.findByTestId("graph-to");
  fireEvent.change(box, { target: { value: "node.sea" } });
  await screen.findAllByTestId("code-option");
  fireEvent.keyDown(box, { key: "Enter" });
  await waitFor(() =>
    expect(params()).toMatchObject({
      to_symbol: "Node.search",
      to_path: "src/router/trie-router/node.ts",
      to_line: "22",
    }),
  );
  await waitFor(() => expect(screen.getAllByTestId("graph-heading")).toHaveLength(1));
  expect(screen.getByTestId("graph-list").textContent).toContain("line 14");
  fireEvent.click(screen.getByTestId("graph-end-way"));
  await waitFor(() => expect(params().to_symbol).toBeUndefined());
});

it("asks again for the other end when nothing bears its name", async () => {
  show("#/graph?symbol=Router.match&to_symbol=Nod.search");
  expect((await screen.findByTestId("graph-near")).textContent).toContain("Nod.search");
  fireEvent.click(screen.getAllByTestId("graph-name")[0] as HTMLElement);
  await waitFor(() => expect(params().to_symbol).not.toBe("Nod.search"));
  expect(params().symbol).toBe("Router.match");
});

it("sorts what may break, and shows the chosen row below", async () => {
  show("#/graph?symbol=Router.match");
  fireEvent.click(await screen.findByTestId("graph-tab-impact"));
  const table = await screen.findByTestId("graph-impact");
  fireEvent.click(within(table).getByRole("button", { name: "Risk" }));
  const risks = screen
    .getAllByTestId("graph-impact-row")
    .map((row) => ["low", "medium", "high"].indexOf(row.lastElementChild?.textContent ?? ""));
  expect(risks).toEqual(risks.toSorted((a, b) => b - a));
  const [first] = screen.getAllByTestId("graph-impact-row");
  fireEvent.click(first as HTMLElement);
  const name = first?.querySelector(".code")?.textContent ?? "?";
  await waitFor(() => expect(screen.getByTestId("graph-details").textContent).toContain(name));
});

it("switches kinds of edges off and on, but never the last", async () => {
  show("#/graph?symbol=Router.match&kinds=call");
  const calls = (await screen.findAllByTestId("graph-kind"))[0] as HTMLElement;
  expect(calls.getAttribute("aria-pressed")).toBe("true");
  fireEvent.click(calls);
  expect(calls.getAttribute("aria-pressed")).toBe("true");
  fireEvent.click(screen.getAllByTestId("graph-kind")[1] as HTMLElement);
  await waitFor(() => expect(params().kinds).toBe("call,import"));
});

it("shows the code of the selected symbol in place of the drawing, and back", async () => {
  show("#/graph?symbol=Router.match");
  await screen.findAllByTestId("graph-node");
  fireEvent.keyDown(document.body, { key: "v" });
  expect(await screen.findByTestId("graph-code")).toBeTruthy();
  expect(screen.queryByTestId("graph-drawing")).toBeNull();
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(await screen.findByTestId("graph-drawing")).toBeTruthy();
});

it("says what is missing, with one action, and what failed", async () => {
  session.set({ repo: "" });
  show("#/graph", "first");
  expect(await screen.findByText(/Choose a repository/)).toBeTruthy();
  cleanup();
  session.set({ repo: "a1b2c3d4e5f6" });
  show("#/graph?symbol=Router.match", "failing");
  expect((await screen.findByRole("alert")).textContent).toContain("cannot be read");
});

it("begins with a map that opens a file, by the keys and by the list", async () => {
  show("#/graph");
  const map = await screen.findByTestId("graph-map");
  fireEvent.keyDown(map, { key: "ArrowRight" });
  await waitFor(() =>
    expect(screen.getByTestId("map-status").textContent).toMatch(/url\.ts · 35 lines/),
  );
  const [first] = await screen.findAllByTestId("graph-file");
  expect(first?.textContent).toBe("src/utils/url.ts");
  fireEvent.keyDown(map, { key: "Enter" });
  await waitFor(() => expect(params().path).toBe("src/utils/url.ts"));
});

it("counts users alike in the list and in the details, and says when none is in the graph", async () => {
  show("#/graph?symbol=Router.match");
  const [heading] = await screen.findAllByTestId("graph-heading");
  const n = heading?.textContent?.replace("Used by", "");
  const details = screen.getByTestId("graph-details");
  expect(within(details).getByRole("heading", { name: /^Used by/ }).textContent).toBe(
    `Used by ${n}`,
  );
  cleanup();
  show("#/graph?symbol=Router.match&to_symbol=Node.search");
  const path = await screen.findByTestId("graph-details");
  expect(path.textContent).toContain("None of them is in this graph");
});
