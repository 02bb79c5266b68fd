import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@maycrawl/client/internal';
import { findPostgres, startPostgres } from '../../../client/test/support/postgres.ts';
import { openWatchDatabase, type WatchDatabase } from '../../src/watch/storage/database.ts';

/** A kind of database, which creates empty databases. */
export interface TestedKind {
  readonly kind: 'SQLite' | 'PostgreSQL';
  /** Creates an empty database. @returns its path or URL. */
  readonly create: () => Promise<string>;
  readonly end: () => Promise<void>;
}

const postgres = await findPostgres();

/** The available kinds. */
export const KINDS: readonly TestedKind['kind'][] = [
  'SQLite',
  ...(postgres ? (['PostgreSQL'] as const) : []),
];

/** Starts the server or creates the folder of a kind. */
export async function startKind(kind: TestedKind['kind']): Promise<TestedKind> {
  let count = 0;
  if (kind === 'PostgreSQL') {
    const server = await startPostgres(postgres as string);
    return { kind, create: () => server.create(`watch${++count}`), end: () => server.destroy() };
  }
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-watch-'));
  return {
    kind,
    create: async () => join(folder, `watch${++count}.sqlite`),
    end: async () => rmSync(folder, { recursive: true }),
  };
}

/** Runs work with an empty database, then closes the database. */
export async function withDatabase<T>(
  { create }: TestedKind,
  work: (database: WatchDatabase, name: string) => Promise<T>,
): Promise<T> {
  const name = await create();
  const database = await openWatchDatabase(name);
  try {
    return await work(database, name);
  } finally {
    await database.db.close();
  }
}

/** @returns the same database with another clock for leases, in milliseconds. */
export function withLeaseTime(database: WatchDatabase, getTime: () => number): WatchDatabase {
  return { ...database, leaseTime: () => sql`cast(${getTime()} as bigint)` };
}
