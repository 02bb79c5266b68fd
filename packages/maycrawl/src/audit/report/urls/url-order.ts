/**
 * The URLs of a run in alphabetical order. Keys are hashes, which differ between runs; the order of the URLs does not.
 *
 * @module
 */
import type { StoredUrl } from '../../run/run-store.ts';
import type { SqliteRun } from '../../run/sqlite/sqlite-run.ts';

/** URLs in the order of their bytes. The run must have them in order (`rows.orderUrls`). */
export async function* urlsInOrder(run: SqliteRun): AsyncGenerator<StoredUrl> {
  for (const key of run.rows.keysInOrder()) {
    const url = await run.url(key);
    if (url !== undefined) yield url;
  }
}

/** Compares two URLs as SQLite does: by bytes of UTF-8. */
export function compareUrls(a: string, b: string): number {
  if (a === b) return 0;
  // Surrogates are before U+E000 in UTF-16, and after it in UTF-8.
  if (/[\ud800-\uffff]/.test(a) || /[\ud800-\uffff]/.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
