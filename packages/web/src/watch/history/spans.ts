// Spans of time, and the positions of moments in them.

/** Beginning and end, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const DAY = 86_400_000;

/** Periods to choose from. */
export const LENGTHS: readonly (readonly [milliseconds: number, text: string])[] = [
  [Number.POSITIVE_INFINITY, 'all versions'],
  [30 * DAY, 'last 30 days'],
  [7 * DAY, 'last 7 days'],
  [DAY, 'last day'],
];

/** The last part of a span. */
export function limitSpan({ from, to }: Span, length: number): Span {
  return { from: Math.max(from, to - length), to };
}

/** The position of a moment in percent from the left; at the edge if it is outside of the span. */
export function placeIn({ from, to }: Span, at: number): number {
  const share = to > from ? (at - from) / (to - from) : 0;
  return 100 * Math.min(Math.max(share, 0), 1);
}

/** A position as an attribute in SVG. */
export function percent(place: number): string {
  return `${place.toFixed(3)}%`;
}
