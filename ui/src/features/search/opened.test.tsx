import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { openCode } from "../../app/opened";
import { asRanked } from "../../app/search-query";
import { session } from "../../app/session";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { SearchView } from "./SearchView";

const REPO = "a1b2c3d4e5f6";

beforeEach(() => {
  // happy-dom lays nothing out; the virtualiser needs a height to show rows.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(600);
  session.set({ repo: REPO, last: null, search: asRanked("") });
});

cleanUpAfterEach();

const shows = (path: string) =>
  waitFor(() => expect(screen.getByTestId("preview").dataset.path).toBe(path));

it("shows a file that no search found, beside what was found, until a hit is chosen", async () => {
  showRecorded(<SearchView />, "#/search?q=trie+router");
  await screen.findAllByTestId("search-hit");
  await shows("src/router/trie-router/router.ts");
  openCode({ repo: REPO, path: "src/app.ts", line: 37 }, 3);
  await shows("src/app.ts");
  expect(screen.getAllByTestId("search-hit").length).toBeGreaterThan(1);
  history.back();
  await shows("src/router/trie-router/router.ts");
  history.forward();
  await shows("src/app.ts");
  fireEvent.keyDown(document.body, { key: "j" });
  await shows("src/router/smart-router/router.ts");
  expect(location.hash).toBe("#/search?q=trie+router");
});

it("shows it alone where nothing is asked", async () => {
  showRecorded(<SearchView />, "#/search?at=src%2Fapp.ts%3A37");
  await shows("src/app.ts");
});

it("has lenses beside a place that is open alone, about the definition around it", async () => {
  showRecorded(<SearchView />, "#/search?at=src%2Fapp.ts%3A37");
  await shows("src/app.ts");
  fireEvent.keyDown(document.body, { key: "h" });
  expect((await screen.findByTestId("dock")).dataset.lens).toBe("history");
  await screen.findByText("Line 37");
});
