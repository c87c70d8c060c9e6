import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { cleanUpAfterEach, showRecorded } from "../testing/show";
import { Palette } from "./Palette";
import { parseRoute } from "./route";
import { session } from "./session";

cleanUpAfterEach();

function open(text: string) {
  session.set({ repo: "a1b2c3d4e5f6" });
  showRecorded(<Palette onClose={() => undefined} onShortcuts={() => undefined} />);
  fireEvent.change(screen.getByRole("combobox"), { target: { value: text } });
}

const items = (group: string) =>
  screen
    .queryAllByTestId("palette-item")
    .filter((one) => one.dataset.group === group)
    .map((one) => one.textContent);

it("shows hits of a question, and falls through to Search", async () => {
  open("where are paths decoded");
  await waitFor(() => expect(items("Hits").length).toBeGreaterThan(0));
  expect(items("Search")).toEqual(["Search for “where are paths decoded”"]);
  fireEvent.click(screen.getByText(/^Search for/));
  expect(parseRoute(location.hash)).toMatchObject({
    view: "search",
    params: { q: "where are paths decoded" },
  });
});

it("opens a hit's code", async () => {
  open("where are paths decoded");
  await waitFor(() => expect(items("Hits").length).toBeGreaterThan(0));
  const hit = screen.getAllByTestId("palette-item").find((one) => one.dataset.group === "Hits");
  fireEvent.click(hit as HTMLElement);
  expect(parseRoute(location.hash)).toMatchObject({ view: "graph", params: { code: "1" } });
});
