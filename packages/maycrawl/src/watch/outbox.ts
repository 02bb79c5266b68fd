/**
 * Who is still to be told of what. A row is there from the moment of its event until it has been delivered.
 *
 * @module
 */

import { type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import { lockTelling, type WatchDatabase } from './database.ts';
import { parseStoredDetails } from './former-names.ts';
import type { Severity } from './site.ts';
import type { EventRow, OutboxRow, Tables } from './tables.ts';
import { type Alert, groupAlerts, type Message, worstFirst } from './telling/message.ts';

/** A message that somebody has taken on. */
export interface Pending {
  /** The target, or its sealed form if it cannot be opened. */
  readonly target: string;
  /** The target as it is in the database. */
  readonly storedTarget: string;
  /** Whether the operator set it on the command line: it may be on a private address. */
  readonly isOpen: boolean;
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

/** A target to which nothing is delivered. */
export interface FailingTarget {
  readonly target: string;
  /** When the first event happened that was not delivered, in milliseconds since 1970. */
  readonly since: number;
  /** How many alerts were not delivered. */
  readonly alerts: number;
  /** Why the last attempt failed. */
  readonly reason: string;
}

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
      await deleteOrphans(transaction, rows, alerts);
      const pending = gather(first, rows, alerts, (target) => this.#database.targets.openIfPossible(target));
      for (const { storedTarget, isOpen, message } of pending)
        await transaction
          .updateTable('watch_outbox')
          .set({ lease_owner: owner, lease_until: until, message: message.id })
          .where('target', '=', storedTarget)
          .where('is_open', '=', isOpen ? 1 : 0)
          .where('event', 'in', idsOf(message))
          .execute();
      return pending;
    });
  }

  /** Writes down what came of telling, if it is still this owner's turn. */
  async settle(
    owner: string,
    { storedTarget, message, attempts }: Pending,
    told: Told,
    now: number,
  ): Promise<void> {
    await this.#database.db.transaction().execute(async (transaction) => {
      await lockTelling(this.#database, transaction);
      await transaction
        .updateTable('watch_outbox')
        .set({ ...changeBy(told, attempts, now), lease_owner: null, lease_until: null })
        .where('target', '=', storedTarget)
        .where('event', 'in', idsOf(message))
        .where('lease_owner', '=', owner)
        .execute();
    });
  }

  /**
   * Gives back what an owner has claimed for the target of a message and not tried.
   *
   * @param nextAt - it is due then, in milliseconds since 1970. @defaultValue when it was due before
   */
  async release(owner: string, { storedTarget }: Pending, nextAt?: number): Promise<void> {
    await this.#database.db
      .updateTable('watch_outbox')
      .set({ lease_owner: null, lease_until: null, ...(nextAt !== undefined && { next_at: nextAt }) })
      .where('target', '=', storedTarget)
      .where('lease_owner', '=', owner)
      .execute();
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

  /**
   * Targets to which nothing was delivered since their last failure, those that failed first at the start.
   *
   * @param limit - of targets.
   */
  async failingTargets(limit: number): Promise<FailingTarget[]> {
    const { db } = this.#database;
    const { rows } = await sql<{ target: string; since: number; alerts: number; last: number }>`
      select target, min(at) as since, count(*) as alerts, max(coalesce(dropped_at, next_at)) as last
      from watch_outbox as failed join watch_events on id = event
      where delivered_at is null and error is not null and coalesce(dropped_at, next_at) > coalesce((
        select max(delivered_at) from watch_outbox as other where other.target = failed.target), 0)
      group by target order by min(at), target limit ${limit}`.execute(db);
    const errors = rows.map(({ target, last }) =>
      db
        .selectFrom('watch_outbox')
        .select('error')
        .where('target', '=', target)
        .where('delivered_at', 'is', null)
        .where(({ fn, eb }) => eb(fn.coalesce('dropped_at', 'next_at'), '=', last))
        .where('error', 'is not', null)
        .executeTakeFirst(),
    );
    const reasons = await Promise.all(errors);
    return rows.map(({ target, since, alerts }, index) => ({
      ...{ since, alerts: Number(alerts), reason: reasons[index]?.error ?? '' },
      target: this.#database.targets.openIfPossible(target),
    }));
  }

  /** Rows to be told now that nobody has taken on. */
  #due(
    transaction: Transaction<Tables>,
    now: number,
  ): SelectQueryBuilder<
    Tables,
    'watch_outbox',
    Pick<OutboxRow, 'event' | 'target' | 'is_open' | 'message' | 'attempts'>
  > {
    const due = transaction
      .selectFrom('watch_outbox')
      .select(['event', 'target', 'is_open', 'message', 'attempts'])
      .where('delivered_at', 'is', null)
      .where('dropped_at', 'is', null)
      .where('next_at', '<=', now)
      .where(({ or, eb }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]));
    // Those that are left out are about to be deleted with their site.
    return this.#database.isPostgres ? due.forUpdate().skipLocked() : due;
  }
}

type DueRow = Pick<OutboxRow, 'event' | 'target' | 'is_open' | 'message' | 'attempts'>;

/** Messages: those that were tried before as they were then, and new ones of all others. */
function gather(
  first: readonly DueRow[],
  rows: readonly DueRow[],
  alerts: ReadonlyMap<string, Alert>,
  open: (storedTarget: string) => string,
): Pending[] {
  const groups = new Map<string, DueRow[]>();
  const keyOf = ({ target, is_open, message }: DueRow): string => JSON.stringify([target, is_open, message]);
  for (const row of first) groups.set(keyOf(row), []);
  // Another target's message of the same id may have another turn.
  for (const row of rows) groups.get(keyOf(row))?.push(row);
  return [...groups.values()].flatMap((group) => {
    const [{ target: storedTarget, is_open, message: id, attempts }] = group as [DueRow];
    const base = { target: open(storedTarget), storedTarget, isOpen: is_open === 1, attempts };
    const own = group.flatMap(({ event }) => alerts.get(event) ?? []);
    if (own.length === 0) return [];
    if (id !== null) return [{ ...base, message: { id, alerts: worstFirst(own) } }];
    return groupAlerts(own).map((message) => ({ ...base, message }));
  });
}

/** Deletes rows whose event is lost: nothing can be said of it, and they would be due for ever. */
async function deleteOrphans(
  transaction: Transaction<Tables>,
  rows: readonly DueRow[],
  alerts: ReadonlyMap<string, Alert>,
): Promise<void> {
  const orphans = [...new Set(rows.flatMap(({ event }) => (alerts.has(event) ? [] : event)))];
  for (let from = 0; from < orphans.length; from += CHUNK)
    await transaction
      .deleteFrom('watch_outbox')
      .where('event', 'in', orphans.slice(from, from + CHUNK))
      .execute();
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
  const facts = { severity: severity as Severity, details: readDetails(details) };
  return { id, at, origin, title, text, version, ...facts };
}

/** Details as data; none if they are damaged: one event must not keep all others from being delivered. */
function readDetails(details: string): object {
  try {
    return parseStoredDetails(details);
  } catch {
    return {};
  }
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
