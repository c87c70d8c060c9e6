// The focuses of this session, in the order in which they were visited.
//
// The route says where we are; the trail only remembers where that lies, so that one can go back
// and forward among focuses without the searches in between.

export interface Trail {
  stops: readonly string[];
  at: number;
}

const MOST_STOPS = 100;

export const NO_TRAIL: Trail = { stops: [], at: -1 };

/** The trail once `stop` is shown: a step back, a step forward, or a new end of the trail. */
export function visit(trail: Trail, stop: string): Trail {
  const { stops, at } = trail;
  if (stops[at] === stop) return trail;
  if (stops[at - 1] === stop) return { stops, at: at - 1 };
  if (stops[at + 1] === stop) return { stops, at: at + 1 };
  const kept = [...stops.slice(0, at + 1), stop].slice(-MOST_STOPS);
  return { stops: kept, at: kept.length - 1 };
}

export function behind({ stops, at }: Trail): string | undefined {
  return stops[at - 1];
}

export function ahead({ stops, at }: Trail): string | undefined {
  return stops[at + 1];
}
