/**
 * Who is still to be told of what. A row is there from the moment of its event until it has been delivered.
 *
 * @module
 */
import type { SelectQueryBuilder, Transaction } from 'kysely';
import { lockTelling, type WatchDatabase } from './database.ts';
import type { Severity } from './site.ts';
import type { EventRow, OutboxRow, Tables } from './tables.ts';
import { type Alert, groupAlerts, type Message, worstFirst } from './telling/message.ts';

/** A message that somebody has taken on. */
export interface Pending {
  readonly target: string;
  readonly message: Message;
  /** How often it was tried. */
  readonly attempts: number;
}

/** What came of telling. */
export type Told =
  | { readonly kind: 'delivered' }
  /** To be told again at that time. */
  | { readonly kind: 'postponed'; readonly until: number; readonly reason: string }
  /** Given up. */
  | { readonly kind: 'dropped'; readonly reason: string }
  /** Not tried: it is as it was. */
  | { readonly kind: 'untried' };

/** Rows of one statement. */
const CHUNK = 500;

/** The rows. */
export class Outbox {
  readonly #database: WatchDatabase;

  constructor(database: WatchDatabase) {
    this.#database = database;
  }

  /**
   * Takes on what is to be told now, the oldest first: nobody else does before the lease has run out. What is told for the first time
   * becomes messages, and remains in them: one that is told again has the same id, and no alert that came later.
   *
   * @param limit - alerts; those of a message that was tried before are taken on together, and may be more.
   */
  async claim(owner: string, now: number, until: number, limit: number): Promise<Pending[]> {
    return this.#database.db.transaction().execute(async (transaction) => {
      await lockTelling(this.#database, transaction);
      const due = this.#due(transaction, now);
      const first = await due.orderBy('next_at').limit(limit).execute();
      const tried = [...new Set(first.flatMap(({ message }) => message ?? []))];
      const again = tried.length > 0 ? await due.where('message', 'in', tried).execute() : [];
      const rows = [...first.filter(({ message }) => message === null), ...again];
      const alerts = await alertsOf(
        transaction,
        rows.map(({ event }) => event),
      );
      const pending = gather(first, rows, alerts);
      for (const { target, message } of pending)
        await transaction
          .updateTable('watch_outbox')
          .set({ lease_owner: owner, lease_until: until, message: message.id })
          .where('target', '=', target)
          .where('event', 'in', idsOf(message))
          .execute();
      return pending;
    });
  }

  /** Writes down what came of telling, if it is still this owner's turn. */
  async settle(
    owner: string,
    { target, message, attempts }: Pending,
    told: Told,
    now: number,
  ): Promise<void> {
    await this.#database.db.transaction().execute(async (transaction) => {
      await lockTelling(this.#database, transaction);
      await transaction
        .updateTable('watch_outbox')
        .set({ ...changeBy(told, attempts, now), lease_owner: null, lease_until: null })
        .where('target', '=', target)
        .where('event', 'in', idsOf(message))
        .where('lease_owner', '=', owner)
        .execute();
    });
  }

  /** When something is to be told next that nobody has taken on; `null` if nothing is. */
  async nextAt(now: number): Promise<number | null> {
    const row = await this.#database.db
      .selectFrom('watch_outbox')
      .select(({ fn }) => fn.min('next_at').as('next'))
      .where('delivered_at', 'is', null)
      .where('dropped_at', 'is', null)
      .where(({ or, eb }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
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

  /** Rows to be told now that nobody has taken on. */
  #due(
    transaction: Transaction<Tables>,
    now: number,
  ): SelectQueryBuilder<
    Tables,
    'watch_outbox',
    Pick<OutboxRow, 'event' | 'target' | 'message' | 'attempts'>
  > {
    const due = transaction
      .selectFrom('watch_outbox')
      .select(['event', 'target', 'message', 'attempts'])
      .where('delivered_at', 'is', null)
      .where('dropped_at', 'is', null)
      .where('next_at', '<=', now)
      .where(({ or, eb }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]));
    // Those that are left out are about to be deleted with their site.
    return this.#database.isPostgres ? due.forUpdate().skipLocked() : due;
  }
}

type DueRow = Pick<OutboxRow, 'event' | 'target' | 'message' | 'attempts'>;

/** Messages: those that were tried before as they were then, and new ones of all others. */
function gather(
  first: readonly DueRow[],
  rows: readonly DueRow[],
  alerts: ReadonlyMap<string, Alert>,
): Pending[] {
  const groups = new Map<string, DueRow[]>();
  const keyOf = ({ target, message }: DueRow): string => JSON.stringify([target, message]);
  for (const row of first) groups.set(keyOf(row), []);
  // Another target's message of the same id may have another turn.
  for (const row of rows) groups.get(keyOf(row))?.push(row);
  return [...groups.values()].flatMap((group) => {
    const [{ target, message: id, attempts }] = group as [DueRow];
    const own = group.flatMap(({ event }) => alerts.get(event) ?? []);
    if (id !== null) return [{ target, attempts, message: { id, alerts: worstFirst(own) } }];
    return groupAlerts(own).map((message) => ({ target, attempts, message }));
  });
}

/** Alerts by their events' ids. */
async function alertsOf(
  transaction: Transaction<Tables>,
  events: readonly string[],
): Promise<Map<string, Alert>> {
  const alerts = new Map<string, Alert>();
  const ids = [...new Set(events)];
  for (let from = 0; from < ids.length; from += CHUNK) {
    const rows = await transaction
      .selectFrom('watch_events')
      .selectAll()
      .where('id', 'in', ids.slice(from, from + CHUNK))
      .execute();
    for (const row of rows) alerts.set(row.id, alertOf(row));
  }
  return alerts;
}

function alertOf({ id, at, origin, severity, title, text, version, details }: EventRow): Alert {
  const facts = { severity: severity as Severity, details: JSON.parse(details) as object };
  return { id, at, origin, title, text, version, ...facts };
}

function idsOf({ alerts }: Message): string[] {
  return alerts.map(({ id }) => id);
}

function changeBy(told: Told, attempts: number, now: number): Partial<OutboxRow> {
  switch (told.kind) {
    case 'delivered':
      return { delivered_at: now, error: null, attempts: attempts + 1 };
    case 'dropped':
      return { dropped_at: now, error: told.reason, attempts: attempts + 1 };
    case 'postponed':
      return { next_at: told.until, error: told.reason, attempts: attempts + 1 };
    case 'untried':
      return {};
  }
}
