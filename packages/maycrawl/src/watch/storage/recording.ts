// Records the result of a check in one transaction: the version, the event and the notifications.
import { randomUUID } from 'node:crypto';
import type { OriginHistory } from '@maycrawl/client';
import { rawSql, type Sql, type SqlConnection, sql, toStored } from '@maycrawl/client/internal';
import { describePolicy, getPolicyCode, type PolicySummary } from '@maycrawl/core';
import { OTHER_ASPECTS } from '../../api/watch/aspects.ts';
import { getWorstSeverity } from '../../reports/severities.ts';
import { formatCount } from '../../text/counts.ts';
import { getFileCondition } from '../analysis/file-condition.ts';
import type { Impact } from '../analysis/impact/impact-types.ts';
import type { SiteCheck, UnconfirmedFailure } from '../confirmation.ts';
import { isQuiet, type Severity, type SiteSettings } from '../site.ts';
import { hashContent, hashRecords, storeContent } from './contents.ts';
import { CLOCK_TOLERANCE, isAhead, type WatchDatabase } from './database.ts';
import { insertEvent, toEvent } from './events.ts';
import { insertInto, toSqlList } from './rows.ts';
import type { EventRow, VersionRow } from './tables.ts';

/** A site that a worker has claimed. */
export interface ClaimedSite {
  readonly origin: string;
  readonly settings: SiteSettings;
  readonly history: OriginHistory;
  /** The policy after the last check. */
  readonly policy: PolicySummary;
  /** The hash of the last successful file, if its content exists. */
  readonly hash: string | null;
  readonly checks: number;
  readonly version: number;
  readonly throttledAt: number | null;
  /** Incomplete attempts to analyse the current response (attempts.ts). */
  readonly attempts: number;
  /** The name of the response of the last attempt. */
  readonly attemptedResponse: string | null;
  readonly setAsideAt: number | null;
  readonly unconfirmed: UnconfirmedFailure | null;
  readonly siteCheck: SiteCheck | null;
  /** The worker. */
  readonly owner: string;
}

export interface CheckResult {
  readonly site: ClaimedSite;
  readonly at: number;
  readonly history: OriginHistory;
  readonly policy: PolicySummary;
  readonly impact: Impact | undefined;
  /** Whether the rest of the site could be fetched, if that was requested in this outage. */
  readonly siteCheck: SiteCheck | null;
  readonly dueAt: number;
}

/** A site that is set aside: only the event is recorded, so that the next change is compared with the last analysed file. */
export interface SetAsideResult {
  readonly site: ClaimedSite;
  readonly at: number;
  readonly impact: Impact;
  readonly dueAt: number;
}

/** Notifications are sent for this number of changes in this time (milliseconds); later ones are stored, until there is none for as long. */
const THROTTLING = { changes: 6, time: 3_600_000 } as const;
/** The kind of the event at the end of the throttling. */
const SETTLED = 'settled';
/** The kinds of events that are no change of the response of a site. */
const OTHER_KINDS: readonly string[] = [...OTHER_ASPECTS, 'set-aside', SETTLED];
/** SQL: the condition of {@link isQuiet}. */
const IS_QUIET: Sql = sql`(kind = 'formatting' and severity = 'info')`;
/** Changes without a notification that the event at the end of the throttling names. */
const MAX_UNSENT = 10;

/**
 * Records the result of a check. Nothing is recorded if another worker has claimed the site meanwhile: its check counts.
 *
 * @returns the event, if there is one.
 */
export async function recordCheck(
  { db, targets }: WatchDatabase,
  result: CheckResult,
): Promise<EventRow | undefined> {
  const { site, at, history, policy, siteCheck, dueAt } = result;
  const { origin } = site;
  return db.transaction(async (transaction) => {
    if (!(await isOwned(transaction, site))) return undefined;
    const { response, outage, body } = toStored(history);
    const hash = body === null ? null : hashContent(body);
    // An unchanged content exists, and stays: the site refers to it.
    if (hash !== null && body !== null && hash !== site.hash) await storeContent(transaction, hash, body, at);
    const version = await recordVersion(transaction, result, hash);
    const events = await createEvents(transaction, result, version);
    const throttledAt = getThrottledAt(site.throttledAt, events, at);
    await transaction.run(
      sql`update watch_sites set response = ${response}, outage = ${outage}, hash = ${hash}, policy = ${getPolicyCode(policy)},
            version = ${version}, checked_at = ${at}, checks = ${site.checks + 1}, due_at = ${dueAt},
            lease_owner = null, lease_until = null, throttled_at = ${throttledAt},
            attempts = 0, attempted_response = null, set_aside_at = null, unconfirmed = null,
            site_check = ${siteCheck && JSON.stringify(siteCheck)}
          where origin = ${origin}`,
    );
    for (const event of events) await insertEvent(transaction, site.settings, event, targets);
    return events[0];
  });
}

/** Returns when a change was throttled last; `null` if the site is not throttled. */
function getThrottledAt(before: number | null, events: readonly EventRow[], at: number): number | null {
  const counted = events.filter((event) => !isQuiet(event));
  if (counted.length === 0) return before;
  return counted.some(({ throttled }) => throttled === 1) ? at : null;
}

/** Records a failure that the next check confirms or not. It is no version and no event yet. */
export async function recordUnconfirmed(
  { db }: WatchDatabase,
  { origin, owner }: ClaimedSite,
  failure: UnconfirmedFailure,
  dueAt: number,
): Promise<void> {
  await db.run(
    sql`update watch_sites set unconfirmed = ${JSON.stringify(failure)}, checked_at = ${failure.at}, due_at = ${dueAt},
          lease_owner = null, lease_until = null
        where origin = ${origin} and lease_owner = ${owner}`,
  );
}

/** Records that a site is set aside. @returns the event; `undefined` if another worker has claimed the site meanwhile. */
export async function recordSetAside(
  { db, targets }: WatchDatabase,
  { site, at, impact, dueAt }: SetAsideResult,
): Promise<EventRow | undefined> {
  return db.transaction(async (transaction) => {
    if (!(await isOwned(transaction, site))) return undefined;
    // An event that says that nothing is reported any more is not throttled.
    const event = { ...toEvent(site, at, impact, site.version), throttled: 0 };
    await transaction.run(
      sql`update watch_sites set due_at = ${dueAt}, lease_owner = null, lease_until = null, set_aside_at = ${at}
          where origin = ${site.origin}`,
    );
    await insertEvent(transaction, site.settings, event, targets);
    return event;
  });
}

/** Whether the worker still has the site. Then its row is locked until the end of the transaction. */
async function isOwned(transaction: SqlConnection, { origin, owner }: ClaimedSite): Promise<boolean> {
  const lock = rawSql(transaction.kind === 'postgres' ? 'for update' : '');
  const row = await transaction.get(
    sql`select origin from watch_sites where origin = ${origin} and lease_owner = ${owner} ${lock}`,
  );
  return row !== undefined;
}

/** Records the version of a check, which may be the current one. @returns its number. */
async function recordVersion(
  transaction: SqlConnection,
  { site, at, history }: CheckResult,
  hash: string | null,
): Promise<number> {
  const { response, outage } = history;
  const kind = outage !== null ? 'unreachable' : (response?.kind ?? 'unreachable');
  const current = { kind, hash: kind === 'successful' ? hash : null } as const;
  const { origin } = site;
  const last = await transaction.get<Pick<VersionRow, 'number' | 'kind' | 'hash' | 'checks'>>(
    sql`select number, kind, hash, checks from watch_versions where origin = ${origin} and number = ${site.version}`,
  );
  if (last !== undefined && last.kind === current.kind && last.hash === current.hash) {
    await transaction.run(
      sql`update watch_versions set last_seen = ${at}, checks = ${last.checks + 1}
          where origin = ${origin} and number = ${last.number}`,
    );
    return last.number;
  }
  const number = site.version + 1;
  const { status = null, code = null, message = null, hops = [] } = outage ?? response ?? {};
  const headers = outage === null ? (response?.headers ?? null) : null;
  const isFile = kind === 'successful' && response !== null;
  const condition = isFile ? { condition: getFileCondition(response.bytes) } : {};
  const facts = JSON.stringify({ status, code, message, headers, hops, ...condition });
  const records_hash = isFile ? hashRecords(response.bytes) : null;
  const row = { origin, number, ...current, records_hash, facts, first_seen: at, last_seen: at, checks: 1 };
  await transaction.run(insertInto('watch_versions', [row]));
  return number;
}

/**
 * Creates the events of a check: that of its change, which is throttled after too many changes, and one at the end of the throttling. A
 * change of formatting only is neither counted nor throttled, and does not delay that end: a file may have a comment that changes each
 * time.
 */
async function createEvents(
  transaction: SqlConnection,
  result: CheckResult,
  version: number,
): Promise<EventRow[]> {
  const { site, at, impact } = result;
  const { throttledAt } = site;
  const isThrottled = throttledAt !== null && at - throttledAt < THROTTLING.time && !isAhead(throttledAt, at);
  if (impact !== undefined && !isQuiet(impact)) {
    const isTooMany = isThrottled || (await countChanges(transaction, site, at)) >= THROTTLING.changes;
    return [{ ...toEvent(site, at, impact, version), throttled: isTooMany ? 1 : 0 }];
  }
  return [
    ...(throttledAt === null || isThrottled ? [] : [await createSettledEvent(transaction, result, version)]),
    ...(impact === undefined ? [] : [{ ...toEvent(site, at, impact, version), throttled: 0 }]),
  ];
}

/** Counts the changes of a site within the time of throttling. */
async function countChanges(
  transaction: SqlConnection,
  { origin }: ClaimedSite,
  at: number,
): Promise<number> {
  const row = await transaction.get<{ recent: number }>(
    sql`select count(*) as recent from watch_events
        where origin = ${origin} and at > ${at - THROTTLING.time} and at <= ${at + CLOCK_TOLERANCE}
          and kind not in ${toSqlList(OTHER_KINDS)} and not ${IS_QUIET}`,
  );
  return row?.recent ?? 0;
}

/** Creates the event at the end of the throttling, as severe as the worst change of which no notification was sent. */
async function createSettledEvent(
  transaction: SqlConnection,
  { site: { origin }, at, policy }: CheckResult,
  version: number,
): Promise<EventRow> {
  const changes = await transaction.all<Pick<EventRow, 'severity' | 'title'>>(
    sql`select severity, title from watch_events
        where origin = ${origin} and throttled = 1 and at > coalesce((
          select max(at) from watch_events
          where origin = ${origin} and throttled = 0 and kind not in ${toSqlList([...OTHER_ASPECTS, 'set-aside'])}
            and not ${IS_QUIET}
        ), 0) order by at desc`,
  );
  const severity = getWorstSeverity(changes.map((change) => change.severity as Severity));
  const unsent =
    changes.length === 0 ? '' : `; ${formatCount(changes.length, 'change')} not reported one by one`;
  const title = `${origin}: no further changes${unsent}. ${describePolicy(policy)}`;
  const text = [
    changes.length > 0
      ? `without a notification: ${formatCount(changes.length, 'change')}`
      : 'the changes without a notification are not stored any more',
    ...changes.slice(0, MAX_UNSENT).map((change) => change.title.replace(`${origin}: `, '')),
  ].join('\n');
  const base = { id: randomUUID(), origin, version, at };
  return { ...base, kind: SETTLED, severity, title, text, details: '{}', throttled: 0 };
}
