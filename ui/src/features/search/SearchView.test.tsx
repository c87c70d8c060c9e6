import type { QueryClient } from "@tanstack/react-query";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { notices } from "../../app/notices";
import { preferences } from "../../app/preferences";
import { asRanked } from "../../app/search-query";
import { session } from "../../app/session";
import { keys, type RepoSummary, type RerankSettings, type Settings } from "../../ipc";
import { commands, type RerankNote } from "../../ipc/bindings";
import { answer, said } from "../../testing/answer";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { recentQueries, rememberQuery } from "./recent";
import { SearchView } from "./SearchView";

let client: QueryClient;

beforeEach(() => {
  // happy-dom lays nothing out; the virtualiser needs a height to show rows.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(600);
  session.set({ repo: "a1b2c3d4e5f6", last: null, search: asRanked("") });
  client = showRecorded(<SearchView />, "#/search?q=trie+router");
});

cleanUpAfterEach();

/** Changes the settings under the view, as another screen would. */
function rerankBy(mode: RerankSettings["mode"]) {
  client.setQueryData<Settings>(keys.settings, (old) => {
    const settings = old ?? client.getQueryData<Settings>(keys.settings);
    return settings && { ...settings, rerank: { ...settings.rerank, mode, endpoint_model: "m" } };
  });
}

const chosen = () =>
  screen
    .getAllByTestId("search-hit")
    .findIndex((hit) => hit.getAttribute("aria-selected") === "true");

it("moves through hits with j and k, and stays within them", async () => {
  await screen.findAllByTestId("search-hit");
  expect(chosen()).toBe(0);
  fireEvent.keyDown(document.body, { key: "j" });
  await waitFor(() => expect(chosen()).toBe(1));
  fireEvent.keyDown(document.body, { key: "k" });
  fireEvent.keyDown(document.body, { key: "k" });
  await waitFor(() => expect(chosen()).toBe(0));
});

it("leaves the box for the list on Enter, and comes back with a slash", async () => {
  await screen.findAllByTestId("search-hit");
  const box = screen.getByTestId("search-input");
  fireEvent.keyDown(box, { key: "Enter" });
  await waitFor(() => expect(document.activeElement?.getAttribute("role")).toBe("listbox"));
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "/" });
  await waitFor(() => expect(document.activeElement).toBe(box));
});

it("gives the focus to rows that come after Enter, and not once one types on", async () => {
  const box = screen.getByTestId("search-input");
  box.focus();
  fireEvent.keyDown(box, { key: "Enter" });
  const isList = () =>
    waitFor(() => expect(document.activeElement?.getAttribute("role")).toBe("listbox"));
  await isList();
  fireEvent.change(box, { target: { value: "" } });
  await waitFor(() => expect(screen.queryByRole("listbox")).toBeNull());
  fireEvent.change(box, { target: { value: "trie" } });
  await screen.findAllByTestId("search-hit");
  expect(document.activeElement?.getAttribute("role")).not.toBe("listbox");
  fireEvent.keyDown(box, { key: "Enter" });
  await isList();
});

it("says why the chosen hit ranks there with e, and in the whole window with e once more", async () => {
  await screen.findAllByTestId("search-hit");
  fireEvent.keyDown(document.body, { key: "e" });
  expect((await screen.findByTestId("dock")).dataset.lens).toBe("why");
  expect(location.hash).toMatch(/^#\/search/);
  fireEvent.keyDown(document.body, { key: "e" });
  await waitFor(() => expect(location.hash).toMatch(/^#\/explain\/q-/));
  // By rank: a row of the trace has the lines of what was ranked, a hit those of the definition.
  expect(decodeURIComponent(location.hash)).toContain("row=#1");
});

it("does not take letters typed into the box for shortcuts", async () => {
  await screen.findAllByTestId("search-hit");
  fireEvent.keyDown(screen.getByTestId("search-input"), { key: "j" });
  expect(chosen()).toBe(0);
});

it("keeps every letter of quick typing", async () => {
  await screen.findAllByTestId("search-hit");
  const box = screen.getByTestId<HTMLInputElement>("search-input");
  const typed = "trie lang:rust -tests";
  for (let length = 1; length <= typed.length; length += 5) {
    fireEvent.change(box, { target: { value: typed.slice(0, length) } });
    await new Promise((resolve) => setTimeout(resolve, length % 2 === 0 ? 90 : 10));
    expect(box.value).toBe(typed.slice(0, length));
  }
  await waitFor(() =>
    expect(new URLSearchParams(location.hash.split("?")[1]).get("q")).toBe(typed),
  );
}, 20_000);

it("shows the reranked order as an update, with undo", async () => {
  // The demo has no endpoint that reranks: the third hit comes first.
  const request = { repo: "a1b2c3d4e5f6", query: "trie router", limit: 50 };
  const fresh = await said(commands.search(request, false));
  const [one, two, three, ...others] = fresh.answer.hits;
  if (!one || !two || !three) throw new Error("too few hits");
  const hits = [three, one, two, ...others].map((hit, at) => ({ ...hit, rank: at + 1 }));
  const rerank: RerankNote = {
    backend: "m",
    sentence: "3 hits moved in 2.4 s",
    complete: true,
    cancelled: false,
    n_asked: hits.length,
    n_moved: 3,
    elapsed_ms: 2400,
    before: [3, 1, 2, ...others.map((_, at) => at + 4)],
  };
  answer("searchReranked", { ...fresh, answer: { ...fresh.answer, hits, rerank } });
  await waitFor(() => expect(client.getQueryData(keys.settings)).toBeDefined());
  rerankBy("http");
  const first = (await screen.findAllByTestId("search-hit"))[0]?.getAttribute("data-path");
  const notice = await screen.findByTestId("rerank-notice", {}, { timeout: 4000 });
  await waitFor(() => expect(notice.dataset.state).toBe("moved"), { timeout: 4000 });
  const paths = () =>
    screen
      .getAllByTestId("search-hit")
      .sort((a, b) => topOf(a) - topOf(b))
      .map((hit) => hit.getAttribute("data-path"));
  expect(paths()[1]).toBe(first);
  fireEvent.click(screen.getByTestId("rerank-undo"));
  await waitFor(() => expect(paths()[0]).toBe(first));
  expect(notice.dataset.state).toBe("undone");
  fireEvent.click(screen.getByTestId("rerank-redo"));
  await waitFor(() => expect(paths()[1]).toBe(first));
});

it("asks no reranker where none is set up", async () => {
  await screen.findAllByTestId("search-hit");
  expect(screen.queryByTestId("rerank-notice")).toBeNull();
});

function topOf(hit: HTMLElement): number {
  return Number(/translateY\(([\d.]+)px\)/.exec(hit.style.transform)?.[1] ?? 0);
}

it("says above the hits when none fits well", async () => {
  await screen.findAllByTestId("search-hit");
  expect(screen.queryByTestId("poor-fit")).toBeNull();
  fireEvent.change(screen.getByTestId("search-input"), { target: { value: "weather forecast" } });
  const notice = await screen.findByTestId("poor-fit", {}, { timeout: 8000 });
  expect(notice.textContent).toMatch(/^Nothing fits well: no word/);
});

it("opens the chosen hit in the editor with o, and says in which", async () => {
  await screen.findAllByTestId("search-hit");
  fireEvent.keyDown(document.body, { key: "o" });
  await waitFor(() => expect(notices.get().notice?.text).toBe("Opened in VS Code"), {
    timeout: 8000,
  });
});

it("keeps a starred search until the star is taken back, and no beginnings of recent ones", async () => {
  preferences.set({ searches: [] });
  localStorage.removeItem("whyrank.recent");
  for (const text of ["where", "where are query", "where are query parameters"])
    rememberQuery(asRanked(text));
  expect(recentQueries()).toEqual([asRanked("where are query parameters")]);
  await screen.findAllByTestId("search-hit");
  fireEvent.click(screen.getByTestId("search-save"));
  expect(preferences.get().searches).toEqual([asRanked("trie router")]);
  fireEvent.change(screen.getByTestId("search-input"), { target: { value: "" } });
  const saved = await screen.findByTestId("saved-searches");
  expect(saved.textContent).toContain("trie router");
  fireEvent.click(screen.getByLabelText("Remove trie router from saved searches"));
  expect(preferences.get().searches).toEqual([]);
});

it("finds every line of a pattern, walks through them, and is kept with its mode", async () => {
  preferences.set({ searches: [] });
  const box = await screen.findByTestId("search-input");
  fireEvent.keyDown(box, { altKey: true, code: "KeyR", key: "r" });
  fireEvent.change(box, { target: { value: "match\\(\\w+" } });
  const lines = await screen.findAllByTestId("search-match");
  expect(lines[0]?.getAttribute("aria-selected")).toBe("true");
  expect(lines[0]?.textContent).toContain("match(method");
  // The rows are of this question only once it has settled.
  await waitFor(() => expect(location.hash).toContain("q=match%5C%28"));
  expect(location.hash).toContain("mode=regex");
  fireEvent.keyDown(document.body, { key: "j" });
  await waitFor(() => {
    const chosen = screen.getAllByTestId("search-match");
    expect(chosen[1]?.getAttribute("aria-selected")).toBe("true");
  });
  fireEvent.click(screen.getByTestId("search-save"));
  expect(preferences.get().searches).toEqual([
    { text: "match\\(\\w+", mode: "regex", matchCase: false },
  ]);
});

it("says what is wrong with a pattern, and where", async () => {
  const box = await screen.findByTestId("search-input");
  fireEvent.keyDown(box, { altKey: true, code: "KeyR", key: "r" });
  fireEvent.change(box, { target: { value: "route(" } });
  const problem = await screen.findByTestId("pattern-problem");
  expect(problem.textContent).toContain("unclosed group, at character 6");
  expect(problem.querySelector("mark")?.textContent).toBe("(");
});

it("says who wrote the chosen line with b, and copies it with a permalink", async () => {
  preferences.set({ blame: false });
  await screen.findAllByTestId("search-hit");
  fireEvent.keyDown(document.body, { key: "b" });
  expect(preferences.get().blame).toBe(true);
  const line = await screen.findByTestId("blame-line");
  await waitFor(() => expect(line.textContent).toContain("Add the trie router"));
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await waitFor(() => expect(screen.getByTestId("preview").dataset.path).toBeTruthy());
  // Here the window is narrow.
  fireEvent.click(screen.getByTestId("preview-actions"));
  fireEvent.click(await screen.findByTestId("preview-markdown"));
  await waitFor(() => expect(copied).toHaveBeenCalled());
  expect(copied.mock.calls[0]?.[0]).toContain("](https://github.com/example/switchyard/blob/");
  preferences.set({ blame: false });
});

it("says that indexing stopped on the way, and goes on with it", async () => {
  await screen.findAllByTestId("search-hit");
  client.setQueryData<RepoSummary[]>(keys.repos, (repos) =>
    repos?.map((repo) => ({ ...repo, graph: "the symbol graph is not built yet" })),
  );
  fireEvent.click(await screen.findByTestId("search-resume"));
  await waitFor(() => expect(screen.queryByTestId("search-resume")).toBeNull());
});

it("leads to no row that is not drawn", async () => {
  await screen.findAllByTestId("search-hit");
  const list = screen.getByRole("listbox", { name: "Results" });
  const named = () => list.getAttribute("aria-activedescendant");
  await waitFor(() => expect(document.getElementById(named() ?? "")).not.toBeNull());
});

it("offers the repository's own names to begin with, and arrows lead through them", async () => {
  const box = await screen.findByTestId<HTMLInputElement>("search-input");
  fireEvent.change(box, { target: { value: "" } });
  const group = await screen.findByTestId("example-searches");
  const rows = [...group.querySelectorAll<HTMLElement>(".search-again")];
  expect(rows.map((row) => row.textContent)).toEqual(["Router", "decode path", "src/app.ts"]);
  const start = screen.getByTestId("search-start");
  fireEvent.keyDown(box, { key: "ArrowDown" });
  expect(start.contains(document.activeElement)).toBe(true);
  rows[0]?.focus();
  fireEvent.keyDown(rows[0] ?? box, { key: "ArrowDown" });
  expect(document.activeElement).toBe(rows[1]);
  fireEvent.click(rows[1] ?? box);
  await waitFor(() => expect(box.value).toBe("decode path"));
  expect(document.activeElement).toBe(box);
  await screen.findAllByTestId("search-hit");
});
