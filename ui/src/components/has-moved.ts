// A pointer at rest does not choose what appears under it.

/** Whether a pointer was moved by a hand: what comes under one that lies still is told as a move, too. */
export function hasMoved({
  movementX,
  movementY,
}: {
  movementX: number;
  movementY: number;
}): boolean {
  return movementX !== 0 || movementY !== 0;
}
