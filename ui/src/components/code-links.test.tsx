import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { useRoute } from "../app/route";
import { session } from "../app/session";
import { usePreview } from "../ipc";
import { cleanUpAfterEach, showView } from "../testing/show";
import { PinnableCode } from "./PinnableCode";
import { useCodeLinks } from "./useCodeLinks";

cleanUpAfterEach();

const REPO = "a1b2c3d4e5f6";
const PATH = "src/router/trie-router/router.ts";
const SPANS = [{ from: 1, to: 1, main: true }];

function Code() {
  const file = usePreview(REPO, PATH).data;
  const { links } = useCodeLinks(REPO, file?.path, null);
  useRoute();
  return file ? <PinnableCode file={file} spans={SPANS} links={links} /> : null;
}

async function shown(): Promise<HTMLElement> {
  session.set({ repo: REPO });
  showView(<Code />, "#/search?q=router");
  await waitFor(() => expect(document.querySelector("[data-name]")).not.toBeNull());
  return document.querySelector<HTMLElement>(".cm-content") as HTMLElement;
}

const named = (text: string) =>
  [...document.querySelectorAll<HTMLElement>("[data-name]")].filter(
    (name) => name.textContent === text,
  );
const at = () => new URLSearchParams(location.hash.split("?")[1]).get("at");

/** A click as the window sees it: the press may draw the name anew. The stand-in for a page tells of a
 * selection while it is being set, which no browser does. */
function press(name: HTMLElement, how: MouseEventInit) {
  for (const set of ["collapse", "extend", "addRange"] as const)
    vi.spyOn(Selection.prototype, set).mockImplementation(() => {});
  fireEvent.mouseDown(name, how);
  fireEvent.mouseUp(name, how);
}

it("goes to what a name means on a click, and back to its line", async () => {
  await shown();
  press(named("Router")[0] as HTMLElement, { detail: 1 });
  await waitFor(() => expect(at()).toBe("src/router.ts:29-47"));
  history.back();
  await waitFor(() => expect(location.hash).toBe("#/search?q=router&line=1"));
});

it("takes two clicks for a selection", async () => {
  vi.useFakeTimers();
  try {
    const waiting = shown();
    await vi.advanceTimersByTimeAsync(500);
    await waiting;
    const name = named("Router")[0] as HTMLElement;
    press(name, { detail: 1 });
    press(name, { detail: 2 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(at()).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

it("waits for no second click with Ctrl", async () => {
  await shown();
  press(named("Router")[0] as HTMLElement, { detail: 1, ctrlKey: true });
  expect(at()).toBe("src/router.ts:29-47");
});

it("walks the names by key, peeks with Space, closes with Escape and goes with Enter", async () => {
  const code = await shown();
  fireEvent.keyDown(code, { key: "." });
  expect(screen.getByText(/Result, src\/router\.ts:85/)).toBeTruthy();
  fireEvent.keyDown(code, { key: "." });
  fireEvent.keyDown(code, { key: " ", code: "Space" });
  await screen.findByTestId("peek-code");
  expect(screen.getByTestId("peek").dataset.what).toBe("definition");
  fireEvent.keyDown(code, { key: "Escape" });
  await waitFor(() => expect(screen.queryByTestId("peek")).toBeNull());
  fireEvent.keyDown(code, { key: "Enter" });
  await waitFor(() => expect(at()).toBe("src/router.ts:29-47"));
});

it("shows the uses of a name, and of a definition at its own place", async () => {
  const code = await shown();
  press(named("Router")[0] as HTMLElement, { detail: 1, altKey: true });
  const list = await screen.findByTestId("peek-uses-list");
  expect(list.textContent).toContain("src/hono-base.ts");
  expect(list.textContent).toContain("a guess");
  expect(document.activeElement).toBe(screen.getByTestId("peek"));
  fireEvent.keyDown(list, { key: "ArrowDown" });
  expect((document.activeElement as HTMLElement).textContent).toContain("96");
  fireEvent.keyDown(list, { key: "Escape" });
  await waitFor(() => expect(screen.queryByTestId("peek")).toBeNull());
  expect(document.activeElement).toBe(code);
  press(named("TrieRouter")[0] as HTMLElement, { detail: 1, ctrlKey: true });
  await screen.findByTestId("peek-uses-list");
  fireEvent.click(screen.getAllByText(/SmartRouter/)[0] as HTMLElement);
  await waitFor(() => expect(at()).toBe("src/preset/quick.ts:14"));
});

it("draws a guess otherwise, says so, and lets one choose", async () => {
  await shown();
  const guess = named("children")[0] as HTMLElement;
  expect(guess.className).toContain("guess");
  expect(guess.title).toContain("A guess");
  press(guess, { detail: 1, ctrlKey: true });
  expect((await screen.findByTestId("peek")).dataset.what).toBe("choice");
  fireEvent.click(screen.getByText("field NodeObject.children"));
  await waitFor(() => expect(at()).toBe("src/jsx/dom/render.ts:61-79"));
});
