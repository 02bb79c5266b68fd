// Counts in text.

/** Formats a count, which is a whole number that is not negative: `1,234`; with a noun `1 site`, `1,234 sites`. */
export function formatCount(count: number, noun?: string): string {
  const digits = groupDigits(String(count));
  return noun === undefined ? digits : `${digits} ${noun}${count === 1 ? '' : 's'}`;
}

/** Puts a comma before each group of three digits. The first call of `toLocaleString` takes tens of milliseconds. */
function groupDigits(digits: string): string {
  const start = digits.length % 3;
  const groups = digits.slice(start).match(/\d{3}/g) ?? [];
  return (start === 0 ? groups : [digits.slice(0, start), ...groups]).join(',');
}
