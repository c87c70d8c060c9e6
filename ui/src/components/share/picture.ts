// Pictures to show around: SVG that needs nothing of the window, and the same as pixels.

/** A whole SVG document with every colour and font written out. */
export interface Picture {
  svg: string;
  width: number;
  height: number;
}

export type PictureFormat = "png" | "svg";

/** Pixels for each unit, so that text stays sharp where it is shown. */
const SHARPNESS = 2;
/** The face of the window where it is installed; the system's otherwise. */
export const FACE = "'Inter Variable', Inter, system-ui, 'Segoe UI', sans-serif";
export const CODE_FACE = "'JetBrains Mono Variable', 'JetBrains Mono', ui-monospace, monospace";

export async function bytesOf(picture: Picture, format: PictureFormat): Promise<number[]> {
  if (format === "svg") return [...new TextEncoder().encode(picture.svg)];
  return [...new Uint8Array(await (await rasterised(picture)).arrayBuffer())];
}

async function rasterised({ svg, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * SHARPNESS);
  canvas.height = Math.ceil(height * SHARPNESS);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("nothing drawn")))),
  );
}

/** A colour of the theme that is on. */
export function token(name: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  return value || "#888888";
}

export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** One line of text; `at` is its left end, or its right one with `anchor: "end"`. */
export function line(
  text: string,
  at: { x: number; y: number },
  style: {
    size?: number;
    color?: string;
    weight?: number;
    code?: boolean;
    anchor?: "end" | "middle";
  } = {},
): string {
  const { size = 13, color = token("text"), weight = 400, code = false, anchor } = style;
  const face = code ? CODE_FACE : FACE;
  const end = anchor ? ` text-anchor="${anchor}"` : "";
  return `<text x="${at.x}" y="${at.y}" font-family="${face}" font-size="${size}" font-weight="${weight}" fill="${color}"${end}>${escaped(text)}</text>`;
}

export function rect(
  box: { x: number; y: number; width: number; height: number },
  fill: string,
  radius = 0,
): string {
  const { x, y, width, height } = box;
  return `<rect x="${x}" y="${y}" width="${Math.max(0, width)}" height="${Math.max(0, height)}" rx="${radius}" fill="${fill}"/>`;
}

export function picture(size: { width: number; height: number }, parts: string[]): Picture {
  const { width, height } = size;
  const ground = rect({ x: 0, y: 0, width, height }, token("bg"));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${ground}${parts.join("")}</svg>`;
  return { svg, width, height };
}

/** What the stylesheets say about a drawn element. */
const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "display",
  "visibility",
];

/** An SVG of the page as it is seen, styles and all. */
export function pictureOf(element: SVGSVGElement): Picture {
  const { width, height } = element.getBoundingClientRect();
  const copy = element.cloneNode(true) as SVGSVGElement;
  const originals = element.querySelectorAll("*");
  for (const [index, one] of copy.querySelectorAll<SVGElement>("*").entries()) {
    const original = originals[index];
    if (!original) continue;
    const styles = getComputedStyle(original);
    const written = PROPERTIES.map((name) => `${name}:${styles.getPropertyValue(name)}`);
    one.setAttribute("style", written.join(";"));
    one.removeAttribute("class");
  }
  return picture({ width, height }, [new XMLSerializer().serializeToString(copy)]);
}

/** Cuts a text to this many letters. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
