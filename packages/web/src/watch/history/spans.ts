/**
 * Spans of time, and where moments stand in them.
 *
 * @module
 */

/** From when to when; milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const DAY = 86_400_000;

/** How far back one may look. */
export const LENGTHS: readonly (readonly [string, number])[] = [
  ['all', Number.POSITIVE_INFINITY],
  ['30 days', 30 * DAY],
  ['7 days', 7 * DAY],
  ['1 day', DAY],
];

/** The last part of a span. */
export function lastOf({ from, to }: Span, length: number): Span {
  return { from: Math.max(from, to - length), to };
}

/** Where a moment stands, in percent from the left; at the edge if it is beyond. */
export function placeIn({ from, to }: Span, at: number): number {
  const share = to > from ? (at - from) / (to - from) : 0;
  return 100 * Math.min(Math.max(share, 0), 1);
}

/** An attribute of a drawing. */
export function percent(place: number): string {
  return `${place.toFixed(3)}%`;
}
