// The map with what is drawn over it as a picture: what it is of, the map as it is seen, and the legend.

import { plural } from "../../../components/format";
import { line, type Picture, picture, pictureOf, token } from "../../../components/share/picture";
import type { MapOverlay, Mark } from "./overlay";

const EDGE = 24;
const HEAD = 56;
const FOOT = 48;
const LETTER = 7;
/** The line around a file, by mark; colours are those of the theme. */
const LINES: Record<Mark, { dash: string; color: string }> = {
  solid: { dash: "", color: "accent" },
  dashed: { dash: "5 3", color: "ch-late-interaction" },
  dotted: { dash: "1.5 2.5", color: "green" },
};

export function overlayPicture(overlay: MapOverlay, map: SVGSVGElement | null): Picture {
  const drawn = map ? pictureOf(map) : { svg: "", width: 640, height: 0 };
  const width = Math.max(640, drawn.width + 2 * EDGE);
  const height = HEAD + drawn.height + FOOT;
  const y = height - FOOT / 2 + 4;
  let x = EDGE;
  const legend = overlay.layers.map(({ mark, label, files }) => {
    const text = `${label}: ${plural(files.length, "file")}`;
    const { dash, color } = LINES[mark];
    const swatch = `<rect x="${x}" y="${y - 10}" width="16" height="12" rx="2" fill="none" stroke="${token(color)}" stroke-width="2" stroke-dasharray="${dash || "none"}"/>`;
    const words = line(text, { x: x + 22, y }, { size: 12, color: token("text-2") });
    x += 46 + text.length * LETTER;
    return swatch + words;
  });
  return picture({ width, height }, [
    line(overlay.title, { x: EDGE, y: 36 }, { size: 18, weight: 650 }),
    drawn.svg.replace("<svg ", `<svg x="${EDGE}" y="${HEAD}" `),
    ...legend,
    line("Whyrank", { x: width - EDGE, y }, { color: token("text-2"), anchor: "end", weight: 600 }),
  ]);
}
