/**
 * Reads verdicts from SQLite.
 *
 * @module
 */
import type { SqliteDatabase } from '@maycrawl/client/database';
import { toCurrentReason } from '../former-names.ts';
import type { StoredVerdict } from '../run-store.ts';

/** Returns the verdict about a URL; `undefined` if it was not judged. @param agent - index of the crawler. */
export function readVerdict(database: SqliteDatabase, key: number, agent: number): StoredVerdict | undefined {
  const row = database.get<Omit<StoredVerdict, 'reason'> & VerdictColumns>(
    'select * from verdicts where key = ? and agent = ?',
    key,
    agent,
  );
  if (row === undefined) return undefined;
  const { because, line, reasons, hidden, allowed, indexable } = row;
  return {
    key,
    agent,
    line,
    reasons,
    hidden,
    reason: toCurrentReason(because),
    isAllowed: allowed === 1,
    isIndexable: indexable === 1,
  };
}

/** Columns of a verdict whose names differ from the properties. */
interface VerdictColumns {
  readonly allowed: number;
  readonly because: string;
  readonly indexable: number;
}
