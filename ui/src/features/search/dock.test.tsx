import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { asRanked } from "../../app/search-query";
import { session } from "../../app/session";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { SearchView } from "./SearchView";

beforeEach(async () => {
  // happy-dom lays nothing out; the virtualiser needs a height to show rows.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(600);
  session.set({ repo: "a1b2c3d4e5f6", last: null, search: asRanked("") });
  showRecorded(<SearchView />, "#/search?q=trie+router");
  await screen.findAllByTestId("search-hit");
});

cleanUpAfterEach();

const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
const lens = async () => (await screen.findByTestId("dock")).dataset.lens;

it("opens and closes by key and by button, and makes room for the code again", async () => {
  expect(screen.queryByTestId("dock")).toBeNull();
  press("d");
  expect(await lens()).toBe("why");
  // Here the window is narrow: it takes the place of the code.
  expect(screen.queryByTestId("preview")).toBeNull();
  press("d");
  await screen.findByTestId("preview");
  fireEvent.click(screen.getByTestId("dock-toggle"));
  await screen.findByTestId("dock");
  fireEvent.click(screen.getByTestId("dock-close"));
  await screen.findByTestId("preview");
});

it("is folded to the names of its lenses where there is no room, one of which opens", async () => {
  fireEvent.click(await screen.findByTestId("folded-impact"));
  expect(await lens()).toBe("impact");
  expect(screen.queryByTestId("dock-folded")).toBeNull();
  fireEvent.click(screen.getByTestId("dock-close"));
  expect((await screen.findByTestId("folded-impact")).dataset.last).toBe("true");
});

it("follows the hit that is chosen", async () => {
  press("e");
  const sentence = () => screen.getByTestId("why-lens-sentence").textContent;
  await waitFor(() => expect(sentence()).toContain("ranks first"));
  press("j");
  await waitFor(() => expect(sentence()).toContain("ranks #2"));
});

it("has a key for each lens, and arrows lead through them", async () => {
  const user = userEvent.setup({ delay: null });
  for (const [key, id] of [
    ["g", "graph"],
    ["M", "memos"],
    ["h", "history"],
    ["e", "why"],
  ] as const) {
    press(key);
    await waitFor(async () => expect(await lens()).toBe(id));
  }
  press("D");
  const tabs = screen.getByRole("tablist", { name: "Lenses" });
  expect(tabs.contains(document.activeElement)).toBe(true);
  await user.keyboard("{ArrowRight}");
  await waitFor(async () => expect(await lens()).toBe("graph"));
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
  await screen.findByTestId("preview");
  expect(document.activeElement?.getAttribute("role")).toBe("listbox");
});

it("fills the window with f: the graph of what is chosen", async () => {
  press("g");
  await screen.findByTestId("graph-lens");
  press("f");
  await waitFor(() => expect(location.hash).toMatch(/^#\/graph\?/));
  expect(location.hash).toContain("path=src");
});

it("shows the bars of a hit's terms, and what sets it apart from the next", async () => {
  press("e");
  const bars = await screen.findByTestId("group-bars");
  const rows = [...bars.querySelectorAll("tbody tr")];
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.every((row) => row.querySelector("[data-testid=contribution-bar]"))).toBe(true);
  await within(screen.getByTestId("why-lens")).findByTestId("in-words");
  fireEvent.click(screen.getByTestId("why-lens-fill"));
  await waitFor(() => expect(location.hash).toMatch(/^#\/explain\/q-.*row=/));
});

it("says who brought the lines, and shows the code as of a commit", async () => {
  press("h");
  await screen.findByTestId("history-lens");
  const [first] = await screen.findAllByTestId("history-as-of");
  fireEvent.click(first ?? document.body);
  await waitFor(() => expect(location.hash).toMatch(/at%3A[0-9a-f]{10}/));
});

it("begins a memo about the chosen lines where there is none", async () => {
  press("M");
  fireEvent.click(await screen.findByTestId("memos-lens-new"));
  await waitFor(() => expect(location.hash).toMatch(/^#\/memory\?new=1&path=src/));
});

it("explains no rank where nothing is ranked", async () => {
  const box = screen.getByTestId("search-input");
  fireEvent.keyDown(box, { altKey: true, code: "KeyR", key: "r" });
  fireEvent.change(box, { target: { value: "seg-25\\d" } });
  await screen.findAllByTestId("search-match");
  box.blur();
  press("e");
  fireEvent.click(await screen.findByText("Search ranked instead"));
  await waitFor(() => expect(location.hash).not.toContain("mode=regex"));
});

it("releases a value to narrow by with a second press", async () => {
  fireEvent.click(screen.getByTestId("search-filters"));
  const value = () => screen.getByTitle("typescript");
  fireEvent.click(await screen.findByTitle("typescript"));
  await waitFor(() => expect(location.hash).toContain("lang%3Atypescript"));
  await waitFor(() => expect(value().getAttribute("aria-pressed")).toBe("true"));
  fireEvent.click(value());
  await waitFor(() => expect(location.hash).not.toContain("lang%3A"));
});
