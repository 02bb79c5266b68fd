// Durations as people write them: `500ms`, `30s`, `15m`, `12h`, `400d`.

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: 60 * SECOND, h: HOUR, d: 24 * HOUR };

/** Parses a duration to milliseconds. Returns `undefined` if the text is not a number with a unit. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit] as number);
}

/** Formats a duration in the largest unit in which it is a whole number. */
export function formatDuration(milliseconds: number): string {
  const unit = ['d', 'h', 'm', 's'].find((each) => milliseconds % (UNITS[each] as number) === 0) ?? 'ms';
  return `${Math.round(milliseconds / (UNITS[unit] as number))}${unit}`;
}
