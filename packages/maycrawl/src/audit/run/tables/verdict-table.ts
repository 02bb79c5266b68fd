// The verdicts about the URLs of a run.
import type { SqliteDatabase } from '@maycrawl/client/internal';

/** The verdict about one URL for one crawler. With the other rows it yields the evidence. */
export interface StoredVerdict {
  readonly key: number;
  /** Index of the crawler in the settings. */
  readonly agent: number;
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly line: number;
  readonly isIndexable: boolean;
  /** The sum of 2^i for each reason (REASONS of core) that applies, and the sum for those that a block masks. */
  readonly reasons: number;
  readonly maskedReasons: number;
  /** Where a noindex is: 1 an element, 2 a header, 3 both; 0: the crawler saw no noindex. */
  readonly noindex: number;
}

/** Number of URLs whose verdicts are read with one statement. */
const CHUNK = 100;

export class VerdictTable {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  clear(): void {
    this.#database.run('delete from verdicts');
  }

  /** Adds verdicts in one transaction, in place of earlier ones. */
  add(verdicts: Iterable<StoredVerdict>): void {
    this.#database.transaction(() => {
      for (const { key, agent, isAllowed, reason, line, isIndexable, ...sums } of verdicts)
        this.#database.run(
          'insert or replace into verdicts values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
          ...[key, agent, isAllowed ? 1 : 0, reason, line, isIndexable ? 1 : 0],
          ...[sums.reasons, sums.maskedReasons, sums.noindex],
        );
    });
  }

  /** Returns the verdict about a URL; `undefined` if it was not judged. @param agent - index of the crawler. */
  get(key: number, agent: number): StoredVerdict | undefined {
    const row = this.#database.get<VerdictRow>(
      'select * from verdicts where key = ? and agent = ?',
      key,
      agent,
    );
    return row && toVerdict(row);
  }

  /** Iterates over verdicts in the order of the table `by_url` (report-rows.ts) and of the crawlers. */
  *listInOrder(): Generator<StoredVerdict> {
    const findLast = 'select max(place) as last from by_url';
    const last = this.#database.get<{ last: number | null }>(findLast)?.last ?? 0;
    for (let place = 0; place < last; place += CHUNK) {
      const rows = this.#database.all<VerdictRow>(
        `select verdicts.* from by_url join verdicts using (key)
         where place > ? and place <= ? order by place, agent`,
        place,
        place + CHUNK,
      );
      for (const row of rows) yield toVerdict(row);
    }
  }
}

function toVerdict({ allowed, indexable, masked_reasons: maskedReasons, ...row }: VerdictRow): StoredVerdict {
  return { ...row, maskedReasons, isAllowed: allowed === 1, isIndexable: indexable === 1 };
}

interface VerdictRow extends Omit<StoredVerdict, 'maskedReasons' | 'isAllowed' | 'isIndexable'> {
  readonly allowed: number;
  readonly indexable: number;
  readonly masked_reasons: number;
}
