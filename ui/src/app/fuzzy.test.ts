import { expect, it } from "vitest";
import { fitOf } from "./fuzzy";

it("fits commands by words in any order and by their initials", () => {
  expect(fitOf("new", "New memo")).toBe(0);
  expect(fitOf("memo new", "New memo")).toBe(1);
  expect(fitOf("nbr", "New benchmark run")).toBe(3);
  expect(fitOf("nebru", "New benchmark run")).toBe(3);
  expect(fitOf("nx", "New memo")).toBeNull();
});
