/**
 * What is asked by the time of a check, which only those do who show what happens.
 *
 * @module
 */
import type { Logger } from 'pino';
import type { WatchDatabase } from '../../watch/database.ts';

/** Makes the index if it is not there. Without it answers are the same, and slower. */
export async function addIndexes({ db }: WatchDatabase, log: Logger): Promise<void> {
  await db.schema
    .createIndex('watch_sites_checked')
    .ifNotExists()
    .on('watch_sites')
    .column('checked_at')
    .execute()
    .catch((error: unknown) => log.warn({ err: error }, 'there is no index of the last checks'));
}
