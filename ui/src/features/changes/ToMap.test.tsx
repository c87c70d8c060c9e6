import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ToMap } from "./ToMap";

afterEach(() => {
  cleanup();
  history.replaceState(null, "", "/");
});

it("leads to the map with the diff drawn over it, by mouse and by key", () => {
  render(<ToMap reference="main" />);
  fireEvent.click(screen.getByRole("button", { name: "Show on the map" }));
  expect(location.hash).toBe("#/graph?over=changes&base=main");
  location.hash = "";
  fireEvent.keyDown(document.body, { key: "g" });
  expect(location.hash).toBe("#/graph?over=changes&base=main");
});
