// One PostgreSQL server for the test files of a worker: starting it takes seconds. Not for tests that stop it or change its settings.
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgres, type TestDatabase } from './postgres.ts';

const END = fileURLToPath(new URL('./end-postgres.mjs', import.meta.url));

/** A server that other test files use, too. */
export interface SharedPostgres {
  /** Makes an empty database. @returns its URL. */
  create(): Promise<string>;
  /** Deletes a database. */
  drop(url: string): Promise<void>;
}

/** Where a worker has its server: the modules of a helper may be loaded again for each test file. */
const shared = globalThis as { maycrawlPostgres?: Promise<SharedPostgres> };

/** Returns the server of this worker, which starts with the first call and ends with the worker. */
export function sharePostgres(programs: string): Promise<SharedPostgres> {
  shared.maycrawlPostgres ??= startPostgres(programs, endWithWorker).then(toShared);
  return shared.maycrawlPostgres;
}

function toShared(server: TestDatabase): SharedPostgres {
  let count = 0;
  return {
    create: () => server.create(`shared_${++count}`),
    async drop(url) {
      const client = new pg.Client(server.url);
      await client.connect();
      await client.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
      await client.end();
    },
  };
}

/** Vitest ends workers with a signal, without their hooks: another process ends the server when its standard input closes. */
function endWithWorker(folder: string): void {
  const watcher = spawn(process.execPath, [END, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  (watcher.stdin as Socket).unref();
}
