// Scales, ticks and the Pareto front. No drawing.

export interface Scale {
  (value: number): number;
  low: number;
  high: number;
}

export function linear([low, high]: [number, number], [from, to]: [number, number]): Scale {
  const map = (value: number) => from + ((value - low) / (high - low || 1)) * (to - from);
  return Object.assign(map, { low, high });
}

/** A log scale; what is below its domain lies on its edge. */
export function logarithmic([low, high]: [number, number], range: [number, number]): Scale {
  const inner = linear([Math.log10(low), Math.log10(high)], range);
  return Object.assign((value: number) => inner(Math.log10(Math.max(value, low))), { low, high });
}

/** Round steps of 1, 2 or 5 that lie within `low` to `high`, about `wanted` of them. */
export function ticks(low: number, high: number, wanted = 5): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((one) => one * power >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => round((first + index) * step));
}

/** `ticks` of a share: none above 1. */
export function shareTicks(low: number, high: number, wanted = 5): number[] {
  return ticks(low, Math.min(1, high), wanted);
}

/** Where a line of one pixel fills one row of pixels. */
export function crisp(at: number): number {
  return Math.floor(at) + 0.5;
}

/** Powers of ten, with 2 and 5 between them where the span is short. */
export function logTicks(low: number, high: number): number[] {
  const decades = Math.log10(high / low);
  const steps = decades > 3 ? [1] : decades > 1.6 ? [1, 3] : [1, 2, 5];
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const step of steps) found.push(round(step * 10 ** power));
  }
  return found.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}

/** How much of a chart's height stays free above 1, for labels. */
const HEAD_ROOM = 0.14;

/** `values` with room on both sides: none below 0, but above 1, where labels stand. */
export function shareDomain(values: number[]): [number, number] {
  if (values.length === 0) return [0, 1];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = Math.max(0.04, (high - low) * 0.08);
  const bottom = Math.max(0, low - room);
  return [bottom, Math.min(high + room, 1 + (1 - bottom) * HEAD_ROOM)];
}

/** The same for positive figures on a log scale, at least half a decade wide. */
export function logDomain(values: number[]): [number, number] {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return [1, 10];
  const low = Math.min(...positive) / 1.35;
  const high = Math.max(...positive) * 1.35;
  const widen = Math.max(1, Math.sqrt(3.2 / (high / low)));
  return [low / widen, high * widen];
}

export interface Cost {
  tokens: number;
  value: number;
}

/** Points that no other beats on both sides (fewer tokens, higher value), cheapest first. */
export function paretoFront<T extends Cost>(points: readonly T[]): T[] {
  const cheapest = [...points].sort((a, b) => a.tokens - b.tokens || b.value - a.value);
  let best = Number.NEGATIVE_INFINITY;
  return cheapest.filter((point) => {
    const isFront = point.value > best;
    best = Math.max(best, point.value);
    return isFront;
  });
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}
