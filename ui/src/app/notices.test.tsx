import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Notices } from "./Notices";
import { dismiss, say, sayWithUndo, UNDO_STAYS_MS } from "./notices";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  act(dismiss);
  cleanup();
  vi.useRealTimers();
});

it("offers to take back what was done, once", () => {
  const undo = vi.fn();
  render(<Notices />);
  act(() => sayWithUndo("Removed chi", undo));
  fireEvent.click(screen.getByTestId("notice-undo"));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(screen.queryByTestId("notice")).toBeNull();
});

it("goes by itself, but not while it is pointed at", () => {
  render(<Notices />);
  act(() => sayWithUndo("Removed chi", () => undefined));
  fireEvent.pointerEnter(screen.getByTestId("notice"));
  act(() => void vi.advanceTimersByTime(2 * UNDO_STAYS_MS));
  expect(screen.getByTestId("notice").textContent).toContain("Removed chi");
  fireEvent.pointerLeave(screen.getByTestId("notice"));
  act(() => void vi.advanceTimersByTime(UNDO_STAYS_MS));
  expect(screen.queryByTestId("notice")).toBeNull();
});

it("offers nothing where nothing was changed", () => {
  render(<Notices />);
  act(() => say("Copied the path"));
  expect(screen.queryByTestId("notice-undo")).toBeNull();
});
