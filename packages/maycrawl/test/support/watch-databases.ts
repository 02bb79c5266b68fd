import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@maycrawl/client/internal';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { findPostgres } from '../../../client/test/support/postgres.ts';
import { sharePostgres } from '../../../client/test/support/shared-postgres.ts';
import { openWatchDatabase, type WatchDatabase } from '../../src/watch/storage/database.ts';

const postgres = await findPostgres();
const KINDS = ['SQLite', ...(postgres ? ['PostgreSQL'] : [])];

/** Starts the server or creates the folder of a kind. @returns how to create an empty database, whose path or URL it returns. */
async function startKind(
  kind: string,
): Promise<{ create(): Promise<string>; drop(path: string): Promise<void>; end(): void }> {
  if (kind === 'PostgreSQL') return { ...(await sharePostgres(postgres as string)), end: () => {} };
  let count = 0;
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-watch-'));
  return {
    create: async () => join(folder, `watch${++count}.sqlite`),
    drop: async () => {},
    end: () => rmSync(folder, { recursive: true }),
  };
}

type WithDatabase = <T>(work: (database: WatchDatabase, name: string) => Promise<T>) => Promise<T>;

/**
 * Registers tests for each kind of database.
 *
 * @param define - registers them. Its parameter runs work with an empty database, then closes the database.
 */
export function describeKinds(define: (withDatabase: WithDatabase) => void): void {
  describe.each(KINDS)('%s', (name) => {
    let kind: Awaited<ReturnType<typeof startKind>>;
    beforeAll(async () => {
      kind = await startKind(name);
    });
    afterAll(() => kind.end());
    define(async (work) => {
      const path = await kind.create();
      const database = await openWatchDatabase(path);
      try {
        return await work(database, path);
      } finally {
        await database.db.close();
        await kind.drop(path);
      }
    });
  });
}

/** Opens an empty SQLite database, which is closed and deleted when the test ends. */
export async function openTestDatabase(): Promise<WatchDatabase & { readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-watch-'));
  const path = join(folder, 'watch.sqlite');
  const database = await openWatchDatabase(path);
  onTestFinished(async () => {
    await database.db.close();
    rmSync(folder, { recursive: true });
  });
  return { ...database, path };
}

/** @returns the same database with another clock for leases, in milliseconds. */
export function withLeaseTime(database: WatchDatabase, getTime: () => number): WatchDatabase {
  return { ...database, leaseTime: () => sql`cast(${getTime()} as bigint)` };
}
