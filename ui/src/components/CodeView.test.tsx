import { EditorView } from "@codemirror/view";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { LinesPlace } from "../app/scope";
import type { FilePreview } from "../ipc";
import { PinnableCode } from "./PinnableCode";

afterEach(cleanup);

const file = {
  path: "src/tax.py",
  text: "one\ntwo\nthree\nfour\n",
  language: "python",
  highlights: [],
  symbols: [],
  truncated: false,
} as unknown as FilePreview;

it("pins the line of the cursor with m, and shows no bar without a selection", async () => {
  const pinned: LinesPlace[] = [];
  render(
    <PinnableCode
      file={file}
      spans={[{ from: 2, to: 3, main: true }]}
      onPin={(place) => pinned.push(place)}
    />,
  );
  const code = await waitFor(() => {
    const found = document.querySelector(".cm-content");
    if (!found) throw new Error("no code yet");
    return found;
  });
  expect(screen.queryByTestId("code-selection")).toBeNull();
  fireEvent.keyDown(code, { key: "m" });
  expect(pinned).toEqual([{ path: "src/tax.py", from: 2, to: 2 }]);
});

it("finds in the code: how many, which one, and that an expression is none", async () => {
  render(<PinnableCode file={file} spans={[{ from: 1, to: 1, main: true }]} onPin={() => {}} />);
  const code = await waitFor(() => {
    const found = document.querySelector(".cm-content");
    if (!found) throw new Error("no code yet");
    return found;
  });
  fireEvent.keyDown(code, { key: "f", code: "KeyF", ctrlKey: true });
  const box = await screen.findByTestId("find-text");
  expect(document.activeElement).toBe(box);
  const found = (words: string) =>
    waitFor(() => expect(screen.getByTestId("find-count").textContent).toBe(words));
  fireEvent.input(box, { target: { value: "o" } });
  await found("3 matches");
  fireEvent.keyDown(box, { key: "Enter" });
  await found("1 of 3");
  fireEvent.click(screen.getByLabelText("Regular expression"));
  fireEvent.input(box, { target: { value: "o(" } });
  await found("Not a regular expression");
  fireEvent.click(screen.getByLabelText("Close (Esc)"));
  await waitFor(() => expect(screen.queryByTestId("find-text")).toBeNull());
});

it("keeps the cursor and the view when an answer takes the place of another", async () => {
  const pinned: LinesPlace[] = [];
  const show = (text: string, from: number) => (
    <PinnableCode
      file={text === file.text ? file : { ...file, text }}
      spans={[{ from, to: from, main: true }]}
      onPin={(place) => pinned.push(place)}
    />
  );
  const { rerender } = render(show(file.text, 2));
  const code = await waitFor(() => {
    const content = document.querySelector<HTMLElement>(".cm-content");
    if (!content) throw new Error("no code yet");
    return content;
  });
  fireEvent.keyDown(code, { key: "m" });
  rerender(show(file.text, 2));
  rerender(show(`${file.text}five\n`, 2));
  expect(document.querySelector(".cm-content")).toBe(code);
  expect(code.textContent).toContain("five");
  fireEvent.keyDown(code, { key: "m" });
  rerender(show(`${file.text}five\n`, 5));
  fireEvent.keyDown(code, { key: "m" });
  expect(pinned.map(({ from }) => from)).toEqual([2, 2, 5]);
});

it("stays in the same text when the file comes anew, and goes to a line once", async () => {
  const pinned: LinesPlace[] = [];
  const show = (text: string, from: number) => (
    <PinnableCode
      file={{ ...file, text }}
      spans={[{ from, to: from, main: true }]}
      onPin={(place) => pinned.push(place)}
    />
  );
  const { rerender } = render(show(file.text, 1));
  const code = await waitFor(() => {
    const content = document.querySelector<HTMLElement>(".cm-content");
    if (!content) throw new Error("no code yet");
    return content;
  });
  const ways = vi.spyOn(EditorView, "scrollIntoView");
  rerender(show(file.text, 3));
  for (const text of ["zero\none\ntwo\nthree\nfour\n", "zero\nthree\nfour\r\nfive", "three\n"]) {
    rerender(show(text, 3));
    const lines = [...code.querySelectorAll(".cm-line")].map((line) => line.textContent);
    expect(lines.join("\n").trimEnd()).toBe(text.replace("\r", "").trimEnd());
    fireEvent.keyDown(code, { key: "m" });
  }
  expect(pinned.map(({ from }) => from)).toEqual([4, 2, 1]);
  expect(ways).toHaveBeenCalledTimes(1);
  ways.mockRestore();
});
