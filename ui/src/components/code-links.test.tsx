import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { useRoute } from "../app/route";
import { session } from "../app/session";
import { type NamePlace, type RefHit, usePreview } from "../ipc";
import { commands } from "../ipc/bindings";
import { installRecorded } from "../ipc/recorded";
import { answer, said } from "../testing/answer";
import { cleanUpAfterEach, showRecorded } from "../testing/show";
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
  showRecorded(<Code />, "#/search?q=router");
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
  await waitFor(() => expect(at()).toBe("src/router.ts:16-23"));
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
  expect(at()).toBe("src/router.ts:16-23");
});

it("walks the names by key, peeks with Space, closes with Escape and goes with Enter", async () => {
  const code = await shown();
  fireEvent.keyDown(code, { key: "." });
  expect(screen.getByText(/Match, src\/router\.ts:10/)).toBeTruthy();
  fireEvent.keyDown(code, { key: "." });
  fireEvent.keyDown(code, { key: " ", code: "Space" });
  await screen.findByTestId("peek-code");
  expect(screen.getByTestId("peek").dataset.what).toBe("definition");
  fireEvent.keyDown(code, { key: "Escape" });
  await waitFor(() => expect(screen.queryByTestId("peek")).toBeNull());
  fireEvent.keyDown(code, { key: "Enter" });
  await waitFor(() => expect(at()).toBe("src/router.ts:4"));
});

it("shows the uses of a name, and of a definition at its own place", async () => {
  installRecorded();
  const of = { repo: REPO, symbol: "Router", path: "src/router.ts", line: 16, as_of: null };
  const fresh = await said(commands.refs({ ...of, kinds: [], mentions: false }));
  // The demo has no guess: its last use is one here.
  const references = fresh.answer.references.map((use, at, all): RefHit => {
    return at + 1 === all.length ? { ...use, confidence: "ambiguous" } : use;
  });
  const refs = answer("refs", { ...fresh, answer: { ...fresh.answer, references } });
  const code = await shown();
  press(named("Router")[0] as HTMLElement, { detail: 1, altKey: true });
  const list = await screen.findByTestId("peek-uses-list");
  expect(list.textContent).toContain("src/app.ts");
  expect(list.textContent).toContain("a guess");
  expect(document.activeElement).toBe(screen.getByTestId("peek"));
  fireEvent.keyDown(list, { key: "ArrowDown" });
  expect((document.activeElement as HTMLElement).textContent).toContain("2import");
  fireEvent.keyDown(list, { key: "Escape" });
  await waitFor(() => expect(screen.queryByTestId("peek")).toBeNull());
  expect(document.activeElement).toBe(code);
  refs.mockRestore();
  press(named("TrieRouter")[0] as HTMLElement, { detail: 1, ctrlKey: true });
  await screen.findByTestId("peek-uses-list");
  fireEvent.click(screen.getAllByText(/SmartRouter/)[0] as HTMLElement);
  await waitFor(() => expect(at()).toBe("src/app.ts:14"));
});

it("draws a guess otherwise, says so, and lets one choose", async () => {
  installRecorded();
  const fresh = await said(commands.namesInFile({ repo: REPO, path: PATH, as_of: null }));
  const { definitions, names } = fresh.answer;
  const targets = ["Node.search", "Node.insert"].map((name) =>
    definitions.findIndex(({ qualified }) => qualified === name),
  );
  // The demo has no guess: here is one.
  const asGuess = (name: NamePlace): NamePlace =>
    name.targets[0] === targets[0]
      ? { ...name, certain: false, confidence: "ambiguous", targets }
      : name;
  answer("namesInFile", { ...fresh, answer: { ...fresh.answer, names: names.map(asGuess) } });
  await shown();
  const guess = named("search")[0] as HTMLElement;
  expect(guess.className).toContain("guess");
  expect(guess.title).toContain("A guess");
  press(guess, { detail: 1, ctrlKey: true });
  expect((await screen.findByTestId("peek")).dataset.what).toBe("choice");
  fireEvent.click(screen.getByText(/^insert\(/, { selector: ".peek-row .code" }));
  await waitFor(() => expect(at()).toBe("src/router/trie-router/node.ts:14-19"));
});
