// Places labels beside marks so that none covers another.

interface Box {
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

/** For each mark the first free spot: right, left, above, below; right if all are taken. */
export function placeLabels(
  marks: readonly { x: number; y: number; text: string }[],
  frame: Frame,
): Spot[] {
  const taken: Box[] = marks.map(({ x, y }) => ({ x: x - 7, y: y - 7, width: 14, height: 14 }));
  return marks.map((mark) => {
    const spots = spotsAround(mark);
    const free = spots.find((spot) => {
      const box = boxOf(spot, mark.text);
      return isWithin(box, frame) && !taken.some((other) => overlaps(box, other));
    });
    const spot = free ?? (spots[0] as Spot);
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
