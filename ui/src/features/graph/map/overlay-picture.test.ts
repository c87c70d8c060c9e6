import { expect, it } from "vitest";
import { overlayPicture } from "./overlay-picture";

it("draws a picture that stands alone, with its title and legend", () => {
  const map = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const overlay = {
    title: "What is reached by: a & <b>",
    notes: [],
    layers: [
      { mark: "solid" as const, label: "Changed", files: [{ path: "a.ts", note: "" }] },
      { mark: "dotted" as const, label: "Tests that reach it", files: [] },
    ],
  };
  const { svg } = overlayPicture(overlay, map);
  const read = new DOMParser().parseFromString(svg, "image/svg+xml");
  expect(read.querySelector("parsererror")).toBeNull();
  expect(svg).toContain("a &amp; &lt;b&gt;");
  expect(svg).toContain(">Changed: 1 file<");
  expect(svg).toContain('stroke-dasharray="1.5 2.5"');
  expect(svg).not.toContain("var(");
});
