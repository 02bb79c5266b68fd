/**
 * Counts in text.
 *
 * @module
 */

/** Formats a count: `1,234`; with a noun `1 site`, `1,234 sites`. */
export function formatCount(count: number, noun?: string): string {
  const digits = count.toLocaleString('en-US');
  return noun === undefined ? digits : `${digits} ${noun}${count === 1 ? '' : 's'}`;
}
