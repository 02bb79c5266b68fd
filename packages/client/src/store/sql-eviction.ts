// Eviction from a store in a database, in steps of some entries. One process at a time evicts.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SqlConnection, type SqlDatabase, sql } from '../database/sql.ts';
import { type Evicted, type EvictionOptions, takeNeeded, takeStep } from './eviction-step.ts';
import { chooseEvicted, type EntryKind, STEP_ENTRIES, type Totals } from './limits.ts';
import type { StoreDialect, StoreTables } from './sql-dialect.ts';
import type { SqlEntries } from './sql-entries.ts';

/** How much is in the store. It reads the rows of `totals` alone. */
export async function readTotals(connection: SqlConnection, { totals }: StoreTables): Promise<Totals> {
  const row = await connection.get<Totals>(
    sql`select cast(sum(origins) as bigint) as origins, cast(sum(bytes) as bigint) as bytes,
          cast(sum(failing_origins) as bigint) as "failingOrigins", cast(sum(failing_bytes) as bigint) as "failingBytes"
        from ${totals}`,
  );
  return row as Totals;
}

interface Candidate {
  readonly key: Uint8Array;
  readonly bytes: number;
  readonly usedAt: number;
}

interface Candidates {
  readonly kind: EntryKind;
  readonly entries: readonly Candidate[];
}

interface EvictionStep extends Evicted {
  /** Whether there is nothing more to remove, or another process evicts. */
  readonly isDone: boolean;
}

/** One eviction, which may take several steps. */
export class SqlEviction {
  readonly #dialect: StoreDialect;
  readonly #entries: SqlEntries;
  readonly #options: EvictionOptions;
  /** A later step begins where the one before ended, and does not read the rows that are removed but not vacuumed. */
  readonly #from: Record<EntryKind, number> = { good: 0, failing: 0 };

  constructor(dialect: StoreDialect, entries: SqlEntries, options: EvictionOptions) {
    this.#dialect = dialect;
    this.#entries = entries;
    this.#options = options;
  }

  /**
   * Evicts what is over the limits and what is too old. Each step is a transaction that counts, chooses and removes under one lock: what
   * two processes counted at the same time, both would remove.
   */
  async run(database: SqlDatabase): Promise<Evicted> {
    let removed = 0;
    let removedBytes = 0;
    for (;;) {
      const step = await database.transaction((transaction) => this.#evictSome(transaction));
      removed += step.removed;
      removedBytes += step.removedBytes;
      this.#options.onStep(step.removed);
      if (step.isDone || this.#options.isStopped()) return { removed, removedBytes, totals: step.totals };
      await this.#dialect.makeSpace();
      // Requests come in between.
      await nextTurn();
    }
  }

  async #evictSome(transaction: SqlConnection): Promise<EvictionStep> {
    const isMine = await this.#dialect.lockEviction(transaction, this.#options.waits);
    const totals = await readTotals(transaction, this.#dialect.tables);
    const candidates = isMine ? await this.#findCandidates(transaction, totals) : undefined;
    const last = candidates?.entries.at(-1);
    if (candidates === undefined || last === undefined)
      return { removed: 0, removedBytes: 0, totals, isDone: true };
    const keys = candidates.entries.map(({ key }) => key);
    // An entry that was used meanwhile stays.
    const gone = await this.#entries.remove(transaction, keys, last.usedAt);
    this.#from[candidates.kind] = last.usedAt;
    const removedBytes = gone.reduce((sum, { bytes }) => sum + bytes, 0);
    return { removed: gone.length, removedBytes, totals, isDone: false };
  }

  async #findCandidates(transaction: SqlConnection, totals: Totals): Promise<Candidates | undefined> {
    const { limits, oldest } = this.#options;
    const kind = chooseEvicted(totals, limits);
    if (kind !== undefined) {
      const entries = await this.#readOldest(transaction, kind, Number.MAX_SAFE_INTEGER);
      return { kind, entries: takeNeeded(entries, kind, limits, totals) };
    }
    if (oldest === undefined) return undefined;
    for (const aged of ['good', 'failing'] as const) {
      const entries = await this.#readOldest(transaction, aged, oldest);
      if (entries.length > 0) return { kind: aged, entries: takeStep(entries) };
    }
    return undefined;
  }

  /** The least recently used entries of a kind. @param before - they were used last before this time. */
  #readOldest(transaction: SqlConnection, kind: EntryKind, before: number): Promise<Candidate[]> {
    return transaction.all<Candidate>(
      sql`select key, bytes, used_at as "usedAt" from ${this.#dialect.tables.origins}
          where is_failing = ${kind === 'failing' ? 1 : 0} and used_at >= ${this.#from[kind]} and used_at < ${before}
          order by used_at limit ${STEP_ENTRIES}`,
    );
  }
}
