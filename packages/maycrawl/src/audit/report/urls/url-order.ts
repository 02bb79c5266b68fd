/**
 * The URLs of a run in the order of the alphabet. Keys are hashes, which other runs have others of; the order of the URLs is the
 * same in all.
 *
 * @module
 */
import type { KeptUrl } from '../../run/run-store.ts';
import type { SqliteRun } from '../../run/sqlite-run.ts';

/** URLs in the order of their bytes. The run must have them in order (`rows.orderUrls`). */
export async function* urlsInOrder(run: SqliteRun): AsyncGenerator<KeptUrl> {
  for (const key of run.rows.keysInOrder()) {
    const url = await run.url(key);
    if (url !== undefined) yield url;
  }
}

/** Which of two URLs comes first, as SQLite has it: by bytes of UTF-8. */
export function compareUrls(a: string, b: string): number {
  if (a === b) return 0;
  // Surrogates stand before U+E000 in JavaScript, and after it in UTF-8.
  if (/[\ud800-\uffff]/.test(a) || /[\ud800-\uffff]/.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
