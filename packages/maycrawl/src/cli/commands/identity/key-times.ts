// From when and until when a key is valid, for people.

/** Formats the times of a key, in milliseconds since 1970; `null` if there is no limit. */
export function formatKeyTimes({
  notBefore,
  notAfter,
}: {
  readonly notBefore: number | null;
  readonly notAfter: number | null;
}): string {
  const from = notBefore === null ? '' : `from ${formatTime(notBefore)}`;
  const until = notAfter === null ? 'without end' : `until ${formatTime(notAfter)}`;
  return `${from} ${until}`.trim();
}

/** The latest time of a Date (ECMAScript, Time Values and Time Range). */
const MAX_TIME = 8.64e15;

function formatTime(time: number): string {
  return Math.abs(time) > MAX_TIME ? String(time) : `${new Date(time).toISOString().slice(0, 16)}Z`;
}
