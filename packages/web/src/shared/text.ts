// Numbers, counts and phrases that several pages show.

/** "1,234" */
export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

/** "1 URL", "1,234 URLs" */
export function formatCount(count: number, singular: string, plural: string = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}

/** Begins a sentence. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "1,234 ms" */
export function formatMilliseconds(milliseconds: number): string {
  return `${formatNumber(Math.round(milliseconds))} ms`;
}

/** "2 more changes are not listed." */
export function formatOmitted(count: number, singular: string): string {
  const [number = '', ...noun] = formatCount(count, singular).split(' ');
  return `${number} more ${noun.join(' ')} ${count === 1 ? 'is' : 'are'} not listed.`;
}

/**
 * "12 %", "0.4 %", "under 0.1 %"; empty without a total.
 *
 * @param digits - decimals of shares from 1 %.
 */
export function formatShare(count: number, total: number, digits: number = 0): string {
  if (total === 0) return '';
  const percent = (100 * count) / total;
  if (percent > 0 && percent < 0.05) return 'under 0.1 %';
  return `${percent.toFixed(percent < 1 ? Math.max(1, digits) : digits)} %`;
}

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A date and a time, in the time zone of the device. @param time - milliseconds since 1970. */
export function formatMoment(time: number): string {
  return MOMENT.format(time);
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** "3 Nov 2026" in UTC. @param time - milliseconds since 1970. */
export function formatDate(time: number): string {
  return DATE.format(time);
}

/** "3 Nov 2026 to 17 Nov 2026" in UTC; `null` without times. */
export function formatSpan(from: number | null, to: number | null): string | null {
  if (from === null) return null;
  const [first, last] = [formatDate(from), formatDate(to ?? from)];
  return first === last ? first : `${first} to ${last}`;
}

/** Lists the headers in JSON with their names as in HTTP: `cacheControl` is `cache-control`. */
export function listHeaders(
  headers: Readonly<Record<string, unknown>> | null,
): [name: string, value: string][] {
  return Object.entries(headers ?? {}).flatMap(([name, value]) => {
    const written = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return typeof value === 'string' ? [[written, value]] : [];
  });
}

/** Results of a comparison of two files. */
export const COMPARISON_TEXTS = {
  comparing: 'Comparing…',
  changed: 'Verdicts change.',
  undecided: 'Not decided: the rules are too complex. Changes may be missing from the list.',
  identical: 'The files are identical.',
} as const;
