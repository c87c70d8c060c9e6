import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { PathText } from "./PathText";

afterEach(cleanup);

const parts = (path: string, before?: string) => {
  const { container } = render(<PathText path={path} before={before} />);
  const text = (of: string) => container.querySelector(of)?.textContent;
  const found = [text(".path-folders"), text(".path-name"), container.textContent];
  cleanup();
  return found;
};

it("keeps the name of the file and its line apart from the folders", () => {
  expect(parts("src/a/b.rs:3")).toEqual(["src/a", "/b.rs:3", "src/a/b.rs:3"]);
  expect(parts("b.rs:3")).toEqual([undefined, "b.rs:3", "b.rs:3"]);
  expect(parts("/home")).toEqual([undefined, "/home", "/home"]);
  expect(parts("b.rs", "shop")).toEqual([undefined, "b.rs", "shop/b.rs"]);
  expect(parts("src/b.rs", "shop")).toEqual(["/src", "/b.rs", "shop/src/b.rs"]);
});

it("reads from left to right, whatever the names are written in", () => {
  const { container } = render(
    <PathText path="src/\u0645\u0633\u0627\u0631/\u0645\u0648\u062c\u0647.ts:52" />,
  );
  const directions = [...container.querySelectorAll("bdi")].map((part) => part.getAttribute("dir"));
  expect(directions).toEqual(["ltr", "ltr"]);
});

it("keeps the line out of what may be cut", () => {
  const lineOf = (path: string) => {
    const { container } = render(<PathText path={path} />);
    return container.querySelector(".path-line")?.textContent;
  };
  expect(lineOf("src/a/b.rs:3")).toBe(":3");
  expect(lineOf("src/a/b.rs:3–18")).toBe(":3–18");
  expect(lineOf("src/a/b.rs")).toBe(undefined);
});
