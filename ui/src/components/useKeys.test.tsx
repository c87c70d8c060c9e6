import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { useKeys } from "./useKeys";

afterEach(cleanup);

const told: string[] = [];

const tell = () => told.push("screen");

function Screen() {
  useKeys({ Escape: tell });
  return null;
}

it("asks a screen that came later than the frame before the frame", () => {
  const frame = (event: KeyboardEvent) => event.defaultPrevented || told.push("frame");
  window.addEventListener("keydown", frame);
  const { unmount } = render(<Screen />);
  fireEvent.keyDown(document.body, { key: "Escape" });
  unmount();
  fireEvent.keyDown(document.body, { key: "Escape" });
  window.removeEventListener("keydown", frame);
  expect(told).toEqual(["screen", "frame"]);
});
