// Positions of durations on the time axis of the outage simulation.
export const HOUR = 3_600_000;
export const DAY: number = 24 * HOUR;

/** Returns the position of a time on the axis, from 0 to 1: a square root, so that hours are visible beside weeks. */
export function getPosition(moment: number, until: number): number {
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

/** The minimum distance between two ticks, as a share of the axis. */
const MIN_GAP = 0.08;

/** Returns the ticks of the axis that have enough space. */
export function createTicks(until: number): { readonly at: number; readonly label: string }[] {
  const ticks: { at: number; label: string }[] = [{ at: 0, label: '0' }];
  for (const [moment, label] of TICKS) {
    const at = getPosition(moment, until);
    if (moment < until && at - (ticks.at(-1)?.at ?? 0) >= MIN_GAP && at < 0.97) ticks.push({ at, label });
  }
  return ticks;
}
