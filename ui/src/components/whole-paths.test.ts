import { expect, it } from "vitest";
import { joined } from "./whole-paths";

it("joins the two parts of a path, and nothing else", () => {
  const names = ["/JsonReader.java:314", "/Gson.java"];
  expect(joined("src/stream\n/JsonReader.java:314\n", names)).toBe(
    "src/stream/JsonReader.java:314\n",
  );
  expect(joined("a\nsrc\n/Gson.java\nlib\n/Gson.java", names)).toBe(
    "a\nsrc/Gson.java\nlib/Gson.java",
  );
  expect(joined("src/stream\n/JsonRe", names)).toBe("src/stream/JsonRe");
  expect(joined("one\n/two", names)).toBe("one\n/two");
  expect(joined("/Gson.java", names)).toBe("/Gson.java");
});

it("joins the line to its name", () => {
  const [lines, names] = [[":314"], ["/JsonReader.java:314"]];
  const text = "src/stream\n/JsonReader.java\n:314\nnext";
  expect(joined(joined(text, lines), names)).toBe("src/stream/JsonReader.java:314\nnext");
});
