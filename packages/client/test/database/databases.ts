import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/database/connection.ts';
import type { SqlDatabase } from '../../src/database/sql.ts';
import { findPostgres, startPostgres, type TestDatabase } from '../support/postgres.ts';

const programs = await findPostgres();

/** The kinds of databases that there are here. */
export const KINDS: readonly SqlDatabase['kind'][] = [
  'sqlite',
  ...(programs === undefined ? [] : (['postgres'] as const)),
];

/** Databases of one kind, until the end of a test file. */
export class TestDatabases {
  readonly #kind: SqlDatabase['kind'];
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'maycrawl-databases-'));
  #server: TestDatabase | undefined;
  #count = 0;

  constructor(kind: SqlDatabase['kind']) {
    this.#kind = kind;
  }

  async start(): Promise<void> {
    if (this.#kind === 'postgres') this.#server = await startPostgres(programs as string);
  }

  /** The name of an empty database. */
  async create(): Promise<string> {
    const name = `database_${this.#count++}`;
    return this.#server === undefined ? join(this.#folder, `${name}.sqlite`) : this.#server.create(name);
  }

  /** Opens a database. */
  open(name: string): Promise<SqlDatabase> {
    return openDatabase(name, { sqlite: {}, postgres: { applicationName: 'test' } });
  }

  async end(): Promise<void> {
    await this.#server?.destroy();
    rmSync(this.#folder, { recursive: true });
  }
}
