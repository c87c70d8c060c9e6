import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { Notices } from "../../app/Notices";
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
  render(<Notices />);
  await screen.findAllByTestId("search-hit");
  press("e");
  await screen.findByTestId("judge");
});

cleanUpAfterEach();

const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
const isPressed = (verdict: string) =>
  screen.getByTestId(`judge-${verdict}`).getAttribute("aria-pressed") === "true";
const marks = () =>
  screen.queryAllByTestId("judged-mark").map((mark) => (mark as HTMLElement).dataset.verdict);

it("judges the hit by key, marks it in the list, and takes it back by Undo", async () => {
  await waitFor(() =>
    expect(screen.getByTestId("judge-right").hasAttribute("data-disabled")).toBe(false),
  );
  press("y");
  await waitFor(() => expect(isPressed("right")).toBe(true));
  const [first] = screen.getAllByTestId("search-hit");
  expect(within(first as HTMLElement).getByTestId("judged-mark")).toBeTruthy();
  fireEvent.click(await screen.findByText("Undo"));
  await waitFor(() => expect(marks()).toEqual([]));
  expect(isPressed("right")).toBe(false);
});

it("says wrong in place of right by the other button", async () => {
  await waitFor(() =>
    expect(screen.getByTestId("judge-right").hasAttribute("data-disabled")).toBe(false),
  );
  fireEvent.click(screen.getByTestId("judge-right"));
  await waitFor(() => expect(marks()).toEqual(["right"]));
  fireEvent.click(screen.getByTestId("judge-wrong"));
  await waitFor(() => expect(marks()).toEqual(["wrong"]));
  expect(isPressed("right")).toBe(false);
});
