/**
 * Writes verdicts to SQLite, and reads them.
 *
 * @module
 */
import type { SqliteDatabase } from '@maycrawl/client/database';
import { toCurrentReason } from '../former-names.ts';
import type { StoredVerdict } from '../run-store.ts';

/** Number of URLs whose verdicts are read with one statement. */
const CHUNK = 100;

/** Writes a verdict, in place of an earlier one. */
export function insertVerdict(
  database: SqliteDatabase,
  { key, agent, isAllowed, reason, line, isIndexable, reasons, hidden }: StoredVerdict,
): void {
  database.run(
    'insert or replace into verdicts values (?, ?, ?, ?, ?, ?, ?, ?)',
    ...[key, agent, isAllowed ? 1 : 0, reason, line, isIndexable ? 1 : 0, reasons, hidden],
  );
}

/** Returns the verdict about a URL; `undefined` if it was not judged. @param agent - index of the crawler. */
export function readVerdict(database: SqliteDatabase, key: number, agent: number): StoredVerdict | undefined {
  const row = database.get<VerdictRow>('select * from verdicts where key = ? and agent = ?', key, agent);
  return row && toVerdict(row);
}

/** Iterates over verdicts in the order of the table `by_url` (report-rows.ts) and of the crawlers. */
export function* readOrderedVerdicts(database: SqliteDatabase): Generator<StoredVerdict> {
  const last = database.get<{ last: number | null }>('select max(place) as last from by_url')?.last ?? 0;
  for (let place = 0; place < last; place += CHUNK) {
    const rows = database.all<VerdictRow>(
      `select verdicts.* from by_url join verdicts using (key)
       where place > ? and place <= ? order by place, agent`,
      place,
      place + CHUNK,
    );
    for (const row of rows) yield toVerdict(row);
  }
}

function toVerdict({
  key,
  agent,
  because,
  line,
  reasons,
  hidden,
  allowed,
  indexable,
}: VerdictRow): StoredVerdict {
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

/** A row of a verdict, in which some names differ from the properties. */
interface VerdictRow extends Omit<StoredVerdict, 'reason' | 'isAllowed' | 'isIndexable'> {
  readonly allowed: number;
  readonly because: string;
  readonly indexable: number;
}
