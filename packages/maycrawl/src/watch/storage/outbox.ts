// The outbox: notifications from their events to their delivery.
import { rawSql, type Sql, type SqlConnection, sql } from '@maycrawl/client/internal';
import { type Alert, groupAlerts, type Message, sortBySeverity } from '../message.ts';
import type { Severity } from '../site.ts';
import { lockOutbox, type WatchDatabase } from './database.ts';
import { getLeaseEnd, isFree, skipLocked, splitIntoChunks, toSqlList } from './rows.ts';
import type { EventRow, OutboxRow } from './tables.ts';

/** A message that a worker has claimed. */
export interface PendingMessage {
  /** The target, or its sealed form if it cannot be opened. */
  readonly target: string;
  /** The target as it is in the database. */
  readonly storedTarget: string;
  /** Whether the operator set it on the command line: it may be on a private address. */
  readonly isOpen: boolean;
  readonly message: Message;
  /** The number of attempts so far. */
  readonly attempts: number;
}

export type DeliveryResult =
  | { readonly kind: 'delivered' }
  /** Due again at that time. */
  | { readonly kind: 'postponed'; readonly until: number; readonly reason: string }
  /** Given up. */
  | { readonly kind: 'dropped'; readonly reason: string }
  /** Without an attempt: it stays due. */
  | { readonly kind: 'untried' };

/** A target to which nothing is delivered. */
export interface FailingTarget {
  readonly target: string;
  /** When the first event happened that was not delivered, in milliseconds since 1970. */
  readonly since: number;
  /** The number of alerts that were not delivered. */
  readonly alerts: number;
  /** Why the last attempt failed. */
  readonly reason: string;
}

/** A notification that waits or was given up, with the title of its event. */
export type UndeliveredRow = Pick<
  OutboxRow & EventRow,
  'event' | 'title' | 'target' | 'attempts' | 'next_at' | 'error' | 'dropped_at'
>;

export class Outbox {
  readonly #database: WatchDatabase;

  constructor(database: WatchDatabase) {
    this.#database = database;
  }

  /**
   * Claims the messages that are due, the oldest first: no other worker gets them before the lease has expired. Alerts are grouped to
   * messages at the first attempt. Later attempts send the same message, without later alerts.
   *
   * @param limit - alerts. Those of a message with earlier attempts are claimed together, and may be more.
   */
  async claim(owner: string, now: number, limit: number): Promise<PendingMessage[]> {
    return this.#database.db.transaction(async (transaction) => {
      await lockOutbox(transaction);
      const isDue = sql`next_at <= ${now} and ${isFree(this.#database)}`;
      const first = await selectDue(transaction, isDue, sql`order by next_at limit ${limit}`);
      const tried = [...new Set(first.flatMap(({ message }) => message ?? []))];
      const again: DueRow[] = [];
      for (const some of splitIntoChunks(tried))
        again.push(...(await selectDue(transaction, isDue, sql`and message in ${toSqlList(some)}`)));
      const rows = [...first.filter(({ message }) => message === null), ...again];
      const alerts = await readAlerts(
        transaction,
        rows.map(({ event }) => event),
      );
      await deleteOrphans(transaction, rows, alerts);
      const pending = groupRows(first, rows, alerts, (target) =>
        this.#database.targets.openIfPossible(target),
      );
      for (const { storedTarget, isOpen, message } of pending)
        await transaction.run(
          sql`update watch_outbox set lease_owner = ${owner}, lease_until = ${getLeaseEnd(this.#database)}, message = ${message.id}
              where target = ${storedTarget} and is_open = ${isOpen ? 1 : 0} and event in ${toSqlList(getEventIds(message))}`,
        );
      return pending;
    });
  }

  /** Renews the claims of an owner. */
  async renew(owner: string, pending: readonly PendingMessage[]): Promise<void> {
    const events = [...new Set(pending.flatMap(({ message }) => getEventIds(message)))];
    for (const some of splitIntoChunks(events))
      await this.#database.renewals.run(
        sql`update watch_outbox set lease_until = ${getLeaseEnd(this.#database)}
            where event in ${toSqlList(some)} and lease_owner = ${owner}`,
      );
  }

  /** Records the result of a delivery, if the owner still has the claim. */
  async settle(
    owner: string,
    { storedTarget, message, attempts }: PendingMessage,
    result: DeliveryResult,
    now: number,
  ): Promise<void> {
    await this.#database.db.transaction(async (transaction) => {
      await lockOutbox(transaction);
      await transaction.run(
        sql`update watch_outbox set ${toAssignments(result, attempts, now)}lease_owner = null, lease_until = null
            where target = ${storedTarget} and event in ${toSqlList(getEventIds(message))} and lease_owner = ${owner}`,
      );
    });
  }

  /**
   * Releases the messages of an owner for a target that had no attempt.
   *
   * @param nextAt - when they are due, in milliseconds since 1970. @defaultValue unchanged
   */
  async release(
    owner: string,
    { storedTarget }: PendingMessage,
    nextAt: number | null = null,
  ): Promise<void> {
    await this.#database.db.run(
      sql`update watch_outbox set lease_owner = null, lease_until = null,
            next_at = coalesce(cast(${nextAt} as bigint), next_at)
          where target = ${storedTarget} and lease_owner = ${owner}`,
    );
  }

  /** Returns when the next message is due that no worker has claimed; `null` if there is none. */
  async nextAt(): Promise<number | null> {
    const row = await this.#database.db.get<{ next: number | null }>(
      sql`select min(next_at) as next from watch_outbox where ${IS_WAITING} and ${isFree(this.#database)}`,
    );
    return row?.next ?? null;
  }

  /** Counts the notifications that wait, and those that were given up. */
  async counts(): Promise<{ readonly waiting: number; readonly dropped: number }> {
    const row = await this.#database.db.get<{ waiting: number; dropped: number }>(
      sql`select count(*) - count(dropped_at) as waiting, count(dropped_at) as dropped
          from watch_outbox where delivered_at is null`,
    );
    return { waiting: row?.waiting ?? 0, dropped: row?.dropped ?? 0 };
  }

  /** Reads the notifications of a site that wait or were given up, the newest first. */
  async undelivered(origin: string, limit: number): Promise<UndeliveredRow[]> {
    const rows = await this.#database.db.all<UndeliveredRow>(
      sql`select event, title, target, attempts, next_at, error, dropped_at
          from watch_events join watch_outbox on event = id
          where origin = ${origin} and delivered_at is null order by at desc limit ${limit}`,
    );
    return rows.map((row) => ({ ...row, target: this.#database.targets.openIfPossible(row.target) }));
  }

  /**
   * Finds targets without a delivery since their last failure, the first failures first.
   *
   * @param limit - the largest number of targets.
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

/** Selects rows that are due and not claimed. Locked rows are about to be deleted with their site. */
function selectDue(transaction: SqlConnection, isDue: Sql, rest: Sql): Promise<DueRow[]> {
  return transaction.all<DueRow>(
    sql`select event, target, is_open, message, attempts from watch_outbox
        where ${IS_WAITING} and ${isDue} ${rest} ${skipLocked(transaction)}`,
  );
}

type DueRow = Pick<OutboxRow, 'event' | 'target' | 'is_open' | 'message' | 'attempts'>;

/** Groups rows to messages: those of earlier attempts as they were, and new ones. */
function groupRows(
  first: readonly DueRow[],
  rows: readonly DueRow[],
  alerts: ReadonlyMap<string, Alert>,
  open: (storedTarget: string) => string,
): PendingMessage[] {
  const groups = new Map<string, DueRow[]>();
  const getGroupKey = ({ target, is_open, message }: DueRow): string =>
    JSON.stringify([target, is_open, message]);
  for (const row of first) groups.set(getGroupKey(row), []);
  // A message of the same id for another target may not be due.
  for (const row of rows) groups.get(getGroupKey(row))?.push(row);
  return [...groups.values()].flatMap((group) => {
    const [{ target: storedTarget, is_open, message: id, attempts }] = group as [DueRow];
    const base = { target: open(storedTarget), storedTarget, isOpen: is_open === 1, attempts };
    const own = group.flatMap(({ event }) => alerts.get(event) ?? []);
    if (own.length === 0) return [];
    if (id !== null) return [{ ...base, message: { id, alerts: sortBySeverity(own) } }];
    return groupAlerts(own).map((message) => ({ ...base, message }));
  });
}

/** Deletes rows without an event, which could never be delivered. */
async function deleteOrphans(
  transaction: SqlConnection,
  rows: readonly DueRow[],
  alerts: ReadonlyMap<string, Alert>,
): Promise<void> {
  const orphans = [...new Set(rows.flatMap(({ event }) => (alerts.has(event) ? [] : event)))];
  for (const some of splitIntoChunks(orphans))
    await transaction.run(sql`delete from watch_outbox where event in ${toSqlList(some)}`);
}

/** Reads alerts by the ids of their events. */
async function readAlerts(
  transaction: SqlConnection,
  events: readonly string[],
): Promise<Map<string, Alert>> {
  const alerts = new Map<string, Alert>();
  for (const some of splitIntoChunks([...new Set(events)])) {
    const rows = await transaction.all<EventRow>(
      sql`select * from watch_events where id in ${toSqlList(some)}`,
    );
    for (const row of rows) alerts.set(row.id, toAlert(row));
  }
  return alerts;
}

function toAlert({ id, at, origin, severity, title, text, version, details }: EventRow): Alert {
  const facts = { severity: severity as Severity, details: readDetails(details) };
  return { id, at, origin, title, text, version, ...facts };
}

/** Parses details. Damaged ones are empty: one event must not block all others. */
function readDetails(details: string): object {
  try {
    return JSON.parse(details) as object;
  } catch {
    return {};
  }
}

function getEventIds({ alerts }: Message): string[] {
  return alerts.map(({ id }) => id);
}

/** Returns assignments of an `update`, each with a comma at its end. */
function toAssignments(result: DeliveryResult, attempts: number, now: number): Sql {
  switch (result.kind) {
    case 'delivered':
      return sql`delivered_at = ${now}, error = null, attempts = ${attempts + 1}, `;
    case 'dropped':
      return sql`dropped_at = ${now}, error = ${result.reason}, attempts = ${attempts + 1}, `;
    case 'postponed':
      return sql`next_at = ${result.until}, error = ${result.reason}, attempts = ${attempts + 1}, `;
    case 'untried':
      return rawSql('');
  }
}
