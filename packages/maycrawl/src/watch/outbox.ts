/**
 * Who is still to be told of what. A row is there from the moment of its event until it has been delivered.
 *
 * @module
 */
import type { WatchDatabase } from './database.ts';
import type { EventRow } from './tables.ts';

/** An event that a target is to be told of. */
export interface Pending {
  readonly target: string;
  readonly event: EventRow;
  readonly attempts: number;
}

/** What came of telling. */
export type Told =
  | { readonly kind: 'delivered' }
  /** To be told again at that time. */
  | { readonly kind: 'postponed'; readonly until: number; readonly reason: string }
  /** Given up. */
  | { readonly kind: 'dropped'; readonly reason: string };

/** The rows. */
export class Outbox {
  readonly #database: WatchDatabase;

  constructor(database: WatchDatabase) {
    this.#database = database;
  }

  /** Takes on what is to be told now, the oldest first: nobody else does before the lease has run out. */
  async claim(owner: string, now: number, until: number, limit: number): Promise<Pending[]> {
    const { db, isPostgres } = this.#database;
    return db.transaction().execute(async (transaction) => {
      const free = transaction
        .selectFrom('watch_outbox')
        .select(['event', 'target'])
        .where('delivered_at', 'is', null)
        .where('dropped_at', 'is', null)
        .where('next_at', '<=', now)
        .where(({ or, eb }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
        .orderBy('next_at')
        .limit(limit);
      const rows = await (isPostgres ? free.forUpdate().skipLocked() : free).execute();
      const pending: Pending[] = [];
      for (const { event: id, target } of rows) {
        const { attempts } = await transaction
          .updateTable('watch_outbox')
          .set({ lease_owner: owner, lease_until: until })
          .where('event', '=', id)
          .where('target', '=', target)
          .returning('attempts')
          .executeTakeFirstOrThrow();
        const event = await transaction
          .selectFrom('watch_events')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        pending.push({ target, event, attempts });
      }
      return pending;
    });
  }

  /** Writes down what came of telling, if it is still this owner's turn. */
  async settle(owner: string, pending: readonly Pending[], told: Told, now: number): Promise<void> {
    const { db } = this.#database;
    const change =
      told.kind === 'delivered'
        ? { delivered_at: now, error: null }
        : told.kind === 'dropped'
          ? { dropped_at: now, error: told.reason }
          : { next_at: told.until, error: told.reason };
    await db.transaction().execute(async (transaction) => {
      for (const { target, event, attempts } of pending)
        await transaction
          .updateTable('watch_outbox')
          .set({ ...change, attempts: attempts + 1, lease_owner: null, lease_until: null })
          .where('event', '=', event.id)
          .where('target', '=', target)
          .where('lease_owner', '=', owner)
          .execute();
    });
  }

  /** When something is to be told next; `null` if nothing is. */
  async nextAt(): Promise<number | null> {
    const row = await this.#database.db
      .selectFrom('watch_outbox')
      .select(({ fn }) => fn.min('next_at').as('next'))
      .where('delivered_at', 'is', null)
      .where('dropped_at', 'is', null)
      .executeTakeFirst();
    return row?.next ?? null;
  }

  /** How many are still to be told, and how many were given up. */
  async counts(): Promise<{ readonly waiting: number; readonly dropped: number }> {
    const count = async (column: 'waiting' | 'dropped'): Promise<number> => {
      const rows = this.#database.db
        .selectFrom('watch_outbox')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('delivered_at', 'is', null)
        .where('dropped_at', column === 'waiting' ? 'is' : 'is not', null);
      return Number((await rows.executeTakeFirstOrThrow()).count);
    };
    return { waiting: await count('waiting'), dropped: await count('dropped') };
  }
}
