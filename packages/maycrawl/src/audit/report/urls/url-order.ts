// The URLs of a run in alphabetical order: unlike that of the keys, it is the same in all runs.

/** Compares two URLs as SQLite does: by bytes of UTF-8. */
export function compareUrls(a: string, b: string): number {
  if (a === b) return 0;
  // Surrogates are before U+E000 in UTF-16, and after it in UTF-8.
  if (/[\ud800-\uffff]/.test(a) || /[\ud800-\uffff]/.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
