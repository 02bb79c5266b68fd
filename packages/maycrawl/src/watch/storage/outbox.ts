/**
 * Who is still to be told of what. A row is there from the moment of its event until it has been delivered.
 *
 * @module
 */
import { rawSql, type Sql, type SqlConnection, sql } from '@maycrawl/client/database';
import { type Alert, groupAlerts, type Message, worstFirst } from '../notifications/messages/message.ts';
import type { Severity } from '../site.ts';
import { lockOutbox, type WatchDatabase } from './database.ts';
import { parseStoredDetails } from './former-names.ts';
import { chunksOf, getLeaseEnd, isFree, listOf, skipLocked } from './rows.ts';
import type { EventRow, OutboxRow } from './tables.ts';

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

/** The result of a delivery. */
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

/** The rows. */
export class Outbox {
  readonly #database: WatchDatabase;

  constructor(database: WatchDatabase) {
    this.#database = database;
  }

  /**
   * Claims what is to be delivered now, the oldest first: no other worker gets it before the lease has expired. What is delivered for the
   * first time becomes messages, and remains in them: one that is delivered again has the same id, and no alert that came later.
   *
   * @param limit - alerts; those of a message that was tried before are claimed together, and may be more.
   */
  async claim(owner: string, now: number, limit: number): Promise<Pending[]> {
    return this.#database.db.transaction(async (transaction) => {
      await lockOutbox(transaction);
      const isDue = sql`next_at <= ${now} and ${isFree(this.#database)}`;
      const first = await selectDue(transaction, isDue, sql`order by next_at limit ${limit}`);
      const tried = [...new Set(first.flatMap(({ message }) => message ?? []))];
      const again: DueRow[] = [];
      for (const some of chunksOf(tried))
        again.push(...(await selectDue(transaction, isDue, sql`and message in ${listOf(some)}`)));
      const rows = [...first.filter(({ message }) => message === null), ...again];
      const alerts = await alertsOf(
        transaction,
        rows.map(({ event }) => event),
      );
      await deleteOrphans(transaction, rows, alerts);
      const pending = gather(first, rows, alerts, (target) => this.#database.targets.openIfPossible(target));
      for (const { storedTarget, isOpen, message } of pending)
        await transaction.run(
          sql`update watch_outbox set lease_owner = ${owner}, lease_until = ${getLeaseEnd(this.#database)}, message = ${message.id}
              where target = ${storedTarget} and is_open = ${isOpen ? 1 : 0} and event in ${listOf(idsOf(message))}`,
        );
      return pending;
    });
  }

  /** Renews the claims of an owner. */
  async renew(owner: string, pending: readonly Pending[]): Promise<void> {
    const events = [...new Set(pending.flatMap(({ message }) => idsOf(message)))];
    for (const some of chunksOf(events))
      await this.#database.renewals.run(
        sql`update watch_outbox set lease_until = ${getLeaseEnd(this.#database)}
            where event in ${listOf(some)} and lease_owner = ${owner}`,
      );
  }

  /** Records the result of a delivery, if the owner still has the claim. */
  async settle(
    owner: string,
    { storedTarget, message, attempts }: Pending,
    told: Told,
    now: number,
  ): Promise<void> {
    await this.#database.db.transaction(async (transaction) => {
      await lockOutbox(transaction);
      await transaction.run(
        sql`update watch_outbox set ${changeBy(told, attempts, now)}lease_owner = null, lease_until = null
            where target = ${storedTarget} and event in ${listOf(idsOf(message))} and lease_owner = ${owner}`,
      );
    });
  }

  /**
   * Releases what an owner has claimed for the target of a message and not tried.
   *
   * @param nextAt - it is due then, in milliseconds since 1970. @defaultValue when it was due before
   */
  async release(owner: string, { storedTarget }: Pending, nextAt: number | null = null): Promise<void> {
    await this.#database.db.run(
      sql`update watch_outbox set lease_owner = null, lease_until = null,
            next_at = coalesce(cast(${nextAt} as bigint), next_at)
          where target = ${storedTarget} and lease_owner = ${owner}`,
    );
  }

  /** When something is to be delivered next that no worker has claimed; `null` if nothing is. */
  async nextAt(): Promise<number | null> {
    const row = await this.#database.db.get<{ next: number | null }>(
      sql`select min(next_at) as next from watch_outbox where ${IS_WAITING} and ${isFree(this.#database)}`,
    );
    return row?.next ?? null;
  }

  /** How many are still to be told, and how many were given up. */
  async counts(): Promise<{ readonly waiting: number; readonly dropped: number }> {
    const row = await this.#database.db.get<{ waiting: number; dropped: number }>(
      sql`select count(*) - count(dropped_at) as waiting, count(dropped_at) as dropped
          from watch_outbox where delivered_at is null`,
    );
    return { waiting: row?.waiting ?? 0, dropped: row?.dropped ?? 0 };
  }

  /**
   * Targets to which nothing was delivered since their last failure, those that failed first at the start.
   *
   * @param limit - of targets.
   */
  async failingTargets(limit: number): Promise<FailingTarget[]> {
    const { db } = this.#database;
    const rows = await db.all<{ target: string; since: number; alerts: number; last: number }>(sql`
      select target, min(at) as since, count(*) as alerts, max(coalesce(dropped_at, next_at)) as last
      from watch_outbox as failed join watch_events on id = event
      where delivered_at is null and error is not null and coalesce(dropped_at, next_at) > coalesce((
        select max(delivered_at) from watch_outbox as other where other.target = failed.target), 0)
      group by target order by min(at), target limit ${limit}`);
    const errors = rows.map(({ target, last }) =>
      db.get<{ error: string }>(
        sql`select error from watch_outbox where target = ${target} and delivered_at is null
            and coalesce(dropped_at, next_at) = ${last} and error is not null limit 1`,
      ),
    );
    const reasons = await Promise.all(errors);
    return rows.map(({ target, since, alerts }, index) => ({
      ...{ since, alerts, reason: reasons[index]?.error ?? '' },
      target: this.#database.targets.openIfPossible(target),
    }));
  }
}

/** Neither delivered nor given up. */
const IS_WAITING: Sql = sql`delivered_at is null and dropped_at is null`;

/** Rows to be delivered now that no worker has claimed. Rows that are locked are about to be deleted with their site. */
function selectDue(transaction: SqlConnection, isDue: Sql, rest: Sql): Promise<DueRow[]> {
  return transaction.all<DueRow>(
    sql`select event, target, is_open, message, attempts from watch_outbox
        where ${IS_WAITING} and ${isDue} ${rest} ${skipLocked(transaction)}`,
  );
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
  transaction: SqlConnection,
  rows: readonly DueRow[],
  alerts: ReadonlyMap<string, Alert>,
): Promise<void> {
  const orphans = [...new Set(rows.flatMap(({ event }) => (alerts.has(event) ? [] : event)))];
  for (const some of chunksOf(orphans))
    await transaction.run(sql`delete from watch_outbox where event in ${listOf(some)}`);
}

/** Alerts by their events' ids. */
async function alertsOf(transaction: SqlConnection, events: readonly string[]): Promise<Map<string, Alert>> {
  const alerts = new Map<string, Alert>();
  for (const some of chunksOf([...new Set(events)])) {
    const rows = await transaction.all<EventRow>(sql`select * from watch_events where id in ${listOf(some)}`);
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

/** Assignments of an `update`, with a comma behind. */
function changeBy(told: Told, attempts: number, now: number): Sql {
  switch (told.kind) {
    case 'delivered':
      return sql`delivered_at = ${now}, error = null, attempts = ${attempts + 1}, `;
    case 'dropped':
      return sql`dropped_at = ${now}, error = ${told.reason}, attempts = ${attempts + 1}, `;
    case 'postponed':
      return sql`next_at = ${told.until}, error = ${told.reason}, attempts = ${attempts + 1}, `;
    case 'untried':
      return rawSql('');
  }
}
