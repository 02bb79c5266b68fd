import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/database/connection.ts';
import type { SqlDatabase } from '../../src/database/sql.ts';
import { findPostgres } from '../support/postgres.ts';
import { type SharedPostgres, sharePostgres } from '../support/shared-postgres.ts';

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
  #server: SharedPostgres | undefined;
  readonly #created: string[] = [];
  #count = 0;

  constructor(kind: SqlDatabase['kind']) {
    this.#kind = kind;
  }

  async start(): Promise<void> {
    if (this.#kind === 'postgres') this.#server = await sharePostgres(programs as string);
  }

  /** The name of an empty database. */
  async create(): Promise<string> {
    if (this.#server === undefined) return join(this.#folder, `database_${this.#count++}.sqlite`);
    const url = await this.#server.create();
    this.#created.push(url);
    return url;
  }

  /** Opens a database. */
  open(name: string): Promise<SqlDatabase> {
    return openDatabase(name, { sqlite: {}, postgres: { applicationName: 'test' } });
  }

  async end(): Promise<void> {
    for (const url of this.#created) await this.#server?.drop(url);
    rmSync(this.#folder, { recursive: true });
  }
}
