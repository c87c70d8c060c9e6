// Places labels beside marks so that none covers another.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where labels may stand; left of it are the axis's own. */
interface Frame {
  left: number;
  width: number;
  height: number;
}

export interface Spot {
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
}

const HEIGHT = 14;
const GAP = 11;
/** Between a label and what stands beside it. */
const SPACE = 4;
/** Mean width of a letter at the size of labels. */
const LETTER = 6.3;

/** From here on a line leads from the mark to its label. */
const FAR = 24;
/** Rows of labels above and below the nearest ones. */
const FAR_ROWS = [3, 4, 5, 6, 7, 8];

/** Whether a label stands so far off that its mark is not plain. */
export function isFar(spot: Spot, mark: { y: number }): boolean {
  return Math.abs(spot.y - mark.y) > FAR;
}

/** For each mark the first free spot: right, left, above, below, further off; right if all are taken. */
export function placeLabels(
  marks: readonly { x: number; y: number; text: string }[],
  frame: Frame,
  /** Lines that no name should lie on while there is another free spot. */
  lines: readonly Box[] = [],
): Spot[] {
  const taken: Box[] = marks.map(({ x, y }) => ({ x: x - 7, y: y - 7, width: 14, height: 14 }));
  return marks.map((mark) => {
    const spots = spotsAround(mark);
    const free = spots.filter((spot) => {
      const box = boxOf(spot, mark.text);
      return isWithin(box, frame) && !taken.some((other) => overlaps(box, other));
    });
    const clear = free.find((spot) => {
      const box = boxOf(spot, mark.text);
      return !lines.some((line) => overlaps(box, line));
    });
    const spot = clear ?? free[0] ?? (spots[0] as Spot);
    taken.push(boxOf(spot, mark.text));
    return spot;
  });
}

function spotsAround({ x, y }: { x: number; y: number }): Spot[] {
  return [
    { x: x + GAP, y: y - 7, anchor: "start" },
    { x: x + GAP, y: y + 8, anchor: "start" },
    { x: x - GAP, y: y - 7, anchor: "end" },
    { x: x - GAP, y: y + 8, anchor: "end" },
    { x, y: y - 18, anchor: "middle" },
    { x, y: y + 18, anchor: "middle" },
    { x, y: y - 32, anchor: "middle" },
    { x, y: y + 32, anchor: "middle" },
    ...FAR_ROWS.flatMap((row): Spot[] => [
      { x: x + GAP, y: y - 4 - row * HEIGHT, anchor: "start" },
      { x: x + GAP, y: y + 4 + row * HEIGHT, anchor: "start" },
      { x: x - GAP, y: y - 4 - row * HEIGHT, anchor: "end" },
      { x: x - GAP, y: y + 4 + row * HEIGHT, anchor: "end" },
    ]),
  ];
}

function boxOf({ x, y, anchor }: Spot, text: string): Box {
  const width = text.length * LETTER;
  const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
  return { x: left, y: y - HEIGHT / 2, width, height: HEIGHT };
}

function isWithin(box: Box, frame: Frame): boolean {
  return (
    box.x >= frame.left &&
    box.y >= 0 &&
    box.x + box.width <= frame.width &&
    box.y + box.height <= frame.height
  );
}

function overlaps(a: Box, b: Box): boolean {
  const apart = (left: Box, right: Box) => left.x + left.width + SPACE <= right.x;
  if (apart(a, b) || apart(b, a)) return false;
  return a.y < b.y + b.height && b.y < a.y + a.height;
}
