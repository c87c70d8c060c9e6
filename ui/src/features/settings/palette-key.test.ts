import { expect, it } from "vitest";
import { keyInWords, keyOf } from "./palette-key";

const none = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false };

it("takes a key with one that is held, and no other", () => {
  expect(keyOf({ ...none, code: "KeyW", ctrlKey: true, altKey: true })).toBe("Control+Alt+KeyW");
  expect(keyOf({ ...none, code: "Space", metaKey: true, shiftKey: true })).toBe(
    "Shift+Super+Space",
  );
  expect(keyOf({ ...none, code: "KeyW" })).toBeNull();
  expect(keyOf({ ...none, code: "KeyW", shiftKey: true })).toBeNull();
  expect(keyOf({ ...none, code: "ControlLeft", ctrlKey: true })).toBeNull();
  expect(keyOf({ ...none, code: "", ctrlKey: true })).toBeNull();
});

it("writes keys as they stand on keyboards", () => {
  expect(keyInWords("Control+Alt+KeyW")).toBe("Ctrl+Alt+W");
  expect(keyInWords("Super+Digit1")).toBe("Super+1");
  expect(keyInWords("Alt+ArrowUp")).toBe("Alt+Up");
  expect(keyInWords("Alt+F2")).toBe("Alt+F2");
});
