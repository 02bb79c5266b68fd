/**
 * Lengths of time in words, and where they stand on a scale that shows hours beside weeks.
 *
 * @module
 */

export const HOUR = 3_600_000;
export const DAY: number = 24 * HOUR;
const MINUTE = 60_000;

/** A length of time in words: its two largest units, the second of them rounded. */
export function inWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / MINUTE);
  // Hours are no news beside weeks, nor minutes beside days.
  const rounded =
    minutes >= 7 * 1440 ? roundTo(minutes, 1440) : minutes >= 1440 ? roundTo(minutes, 60) : minutes;
  const parts = [
    [Math.floor(rounded / 1440), 'day'],
    [Math.floor((rounded % 1440) / 60), 'hour'],
    [rounded % 60, 'minute'],
  ] as const;
  const told = parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`);
  return told.length === 0 ? 'no time' : told.join(' ');
}

function roundTo(value: number, unit: number): number {
  return Math.round(value / unit) * unit;
}

/** Where a moment stands, from 0 to 1: by its square root, so that half a day can be seen beside a month. */
export function placeOf(moment: number, until: number): number {
  return Math.sqrt(Math.min(moment, until) / until);
}

const TICKS: readonly (readonly [number, string])[] = [
  [HOUR, '1 h'],
  [6 * HOUR, '6 h'],
  [12 * HOUR, '12 h'],
  [DAY, '1 d'],
  [3 * DAY, '3 d'],
  [7 * DAY, '7 d'],
  [14 * DAY, '14 d'],
  [30 * DAY, '30 d'],
  [60 * DAY, '60 d'],
  [120 * DAY, '120 d'],
  [365 * DAY, '365 d'],
];

/** Between two marks of the scale, at least this share of its length. */
const GAP = 0.08;

/** The marks of the scale: where policies change, as far as there is room. */
export function ticksUntil(until: number): { readonly at: number; readonly label: string }[] {
  const marks: { at: number; label: string }[] = [{ at: 0, label: '0' }];
  for (const [moment, label] of TICKS) {
    const at = placeOf(moment, until);
    if (moment < until && at - (marks.at(-1)?.at ?? 0) >= GAP && at < 0.97) marks.push({ at, label });
  }
  return marks;
}
