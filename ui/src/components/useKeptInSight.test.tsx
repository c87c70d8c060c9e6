import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useKeptInSight } from "./useKeptInSight";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A pane of a height that the test sets, and what was revealed in it. */
function pane(reach: { top: number; bottom: number } | null) {
  let resized = () => {};
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(told: () => void) {
        resized = told;
      }
      observe() {}
      disconnect() {}
    },
  );
  const element = document.createElement("div");
  let height = 400;
  vi.spyOn(element, "clientHeight", "get").mockImplementation(() => height);
  const reveal = vi.fn();
  renderHook(() => useKeptInSight({ current: element }, () => reach, reveal));
  const resize = (to: number) => {
    height = to;
    resized();
  };
  return { element, reveal, resize };
}

it("brings what was in sight back into it", () => {
  const { reveal, resize } = pane({ top: 300, bottom: 320 });
  resize(400);
  expect(reveal).not.toHaveBeenCalled();
  resize(200);
  expect(reveal).toHaveBeenCalledTimes(1);
});

it("leaves who has scrolled away from it, and asks nothing where nothing is chosen", () => {
  const far = pane({ top: 300, bottom: 320 });
  far.element.scrollTop = 900;
  far.element.dispatchEvent(new Event("scroll"));
  far.resize(200);
  expect(far.reveal).not.toHaveBeenCalled();
  const none = pane(null);
  none.resize(200);
  expect(none.reveal).not.toHaveBeenCalled();
});
