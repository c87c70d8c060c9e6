import { expect, it } from "vitest";
import { hasMoved } from "./has-moved";

it("takes a list that comes under a pointer at rest for no move", () => {
  expect(hasMoved({ movementX: 0, movementY: 0 })).toBe(false);
  expect(hasMoved({ movementX: 0, movementY: -1 })).toBe(true);
});
