// The results of rendering pages of a run.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import type { RenderablePage, Rendering, RenderOutcome } from '../records/rendering.ts';
import { IS_HTML } from './report-rows.ts';
import { readCount, toDepth, type UrlRow } from './rows.ts';

interface RenderingRow extends Omit<Rendering, 'outcome'> {
  readonly outcome: string;
}

const SELECT = 'select key, at, milliseconds, outcome from renderings';
const COUNT = 'select count(*) as count from renderings';

/** Writes and reads the results of rendering. */
export class RenderingTable {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Stores a result, in place of an earlier one. */
  set({ key, at, milliseconds, outcome }: Rendering): void {
    this.#database.run(
      'insert or replace into renderings (key, at, milliseconds, outcome) values (?, ?, ?, ?)',
      ...[key, at, milliseconds, JSON.stringify(outcome)],
    );
  }

  /** Returns the result of rendering a page; `undefined` if it was not rendered. */
  get(key: number): Rendering | undefined {
    const row = this.#database.get<RenderingRow>(`${SELECT} where key = ?`, key);
    return row && toRendering(row);
  }

  /** Iterates over the results, in the order of their keys. */
  *list(): Generator<Rendering> {
    for (const row of this.#database.iterate<RenderingRow>(`${SELECT} order by key`)) yield toRendering(row);
  }

  /** Counts the pages that were rendered, or could not be. */
  count(): number {
    return readCount(this.#database, COUNT);
  }

  /** Counts the pages that could not be rendered. */
  countFailed(): number {
    return readCount(this.#database, `${COUNT} where json_extract(outcome, '$.kind') = 'failure'`);
  }

  /** Returns fetched HTML pages with status 200 that were not rendered, after a key, in the order of the keys. */
  listRenderable(after: number, limit: number): RenderablePage[] {
    return this.#database
      .all<Pick<UrlRow, 'key' | 'url' | 'depth'>>(
        `select key, url, depth from urls where state = 1 and key > ?
           and key in (select key from pages where status = 200 and ${IS_HTML})
           and key not in (select key from renderings)
         order by key limit ?`,
        after,
        limit,
      )
      .map(({ depth, ...row }) => ({ ...row, depth: toDepth(depth) }));
  }
}

function toRendering({ outcome, ...row }: RenderingRow): Rendering {
  return { ...row, outcome: JSON.parse(outcome) as RenderOutcome };
}
