/**
 * Writing down what came of a check: the version, the event and the messages, all at once.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import type { OriginHistory } from '@maycrawl/client';
import { rawSql, type SqlConnection, sql } from '@maycrawl/client/database';
import { toStored, toStoredKind, toStoredPolicy } from '@maycrawl/client/origins';
import { describePolicy, type PolicySummary } from '@maycrawl/core';
import type { Meaning } from '../analysis/meaning.ts';
import type { SiteSettings } from '../site.ts';
import { hashOf, storeContent } from './contents.ts';
import type { WatchDatabase } from './database.ts';
import { insertInto } from './rows.ts';
import type { SealedTargets } from './sealed-targets.ts';
import type { EventRow, VersionRow } from './tables.ts';

/** A site whose check somebody has taken on. */
export interface ClaimedSite {
  readonly origin: string;
  readonly settings: SiteSettings;
  readonly history: OriginHistory;
  /** The policy after the last check. */
  readonly policy: PolicySummary;
  /** Of the last good file, if it is there. */
  readonly hash: string | null;
  readonly checks: number;
  readonly version: number;
  readonly dampedAt: number | null;
  /** Of its analysis, since the last one that ended by itself (attempts.ts). */
  readonly attempts: number;
  /** The name of the response that the last attempt analysed. */
  readonly attemptOf: string | null;
  readonly setAsideAt: number | null;
  /** Who has taken it on. */
  readonly owner: string;
}

/** What came of a check. */
export interface CheckResult {
  readonly site: ClaimedSite;
  readonly at: number;
  readonly history: OriginHistory;
  readonly policy: PolicySummary;
  readonly meaning: Meaning | undefined;
  readonly dueAt: number;
}

/** A site that is set aside: nothing but the event is recorded, so that the next change is compared with the last analysed file. */
export interface SetAsideResult {
  readonly site: ClaimedSite;
  readonly at: number;
  readonly meaning: Meaning;
  readonly dueAt: number;
}

/** Within this time so many changes are told; further ones are only kept, until there was none for as long. */
const DAMPING = { changes: 6, time: 3_600_000 } as const;

/**
 * Writes down what came of a check, and who is to be told, all at once. Nothing is written if somebody else has taken the
 * site on meanwhile: then it is that one's check which counts.
 *
 * @returns the event, if there is one.
 */
export async function recordCheck(
  { db, targets }: WatchDatabase,
  result: CheckResult,
): Promise<EventRow | undefined> {
  const { site, at, history, policy, dueAt } = result;
  const { origin } = site;
  return db.transaction(async (transaction) => {
    if (!(await isOwned(transaction, site))) return undefined;
    const { answer, outage, body } = toStored(history);
    const hash = body === null ? null : hashOf(body);
    // That of before is there, and stays: the site refers to it.
    if (hash !== null && body !== null && hash !== site.hash) await storeContent(transaction, hash, body, at);
    const version = await see(transaction, result, hash);
    const event = await eventOf(transaction, result, version);
    const dampedAt = event === undefined ? site.dampedAt : event.damped === 1 ? at : null;
    await transaction.run(
      sql`update watch_sites set answer = ${answer}, outage = ${outage}, hash = ${hash}, holds = ${toStoredPolicy(policy)},
            version = ${version}, checked_at = ${at}, checks = ${site.checks + 1}, due_at = ${dueAt},
            lease_owner = null, lease_until = null, damped_at = ${dampedAt},
            attempts = 0, attempt_of = null, set_aside_at = null
          where origin = ${origin}`,
    );
    if (event !== undefined) await insertEvent(transaction, site, event, targets);
    return event;
  });
}

/** Records that a site is set aside. @returns the event; `undefined` if another worker has claimed the site meanwhile. */
export async function recordSetAside(
  { db, targets }: WatchDatabase,
  { site, at, meaning, dueAt }: SetAsideResult,
): Promise<EventRow | undefined> {
  return db.transaction(async (transaction) => {
    if (!(await isOwned(transaction, site))) return undefined;
    // An event that says that nothing is reported any more is not throttled.
    const event = { ...toEvent(site, at, meaning, site.version), damped: 0 };
    await transaction.run(
      sql`update watch_sites set due_at = ${dueAt}, lease_owner = null, lease_until = null, set_aside_at = ${at}
          where origin = ${site.origin}`,
    );
    await insertEvent(transaction, site, event, targets);
    return event;
  });
}

/** Whether the site is still this worker's. Then its row is locked, also for those who remove it. */
async function isOwned(transaction: SqlConnection, { origin, owner }: ClaimedSite): Promise<boolean> {
  const lock = rawSql(transaction.kind === 'postgres' ? 'for update' : '');
  const row = await transaction.get(
    sql`select origin from watch_sites where origin = ${origin} and lease_owner = ${owner} ${lock}`,
  );
  return row !== undefined;
}

/** Inserts an event, and a message for each target. */
async function insertEvent(
  transaction: SqlConnection,
  { settings }: ClaimedSite,
  event: EventRow,
  sealed: SealedTargets,
): Promise<void> {
  await transaction.run(insertInto('watch_events', [event]));
  const targets = event.damped === 1 ? [] : [...new Set(settings.notify)];
  if (targets.length > 0)
    await transaction.run(
      insertInto(
        'watch_outbox',
        targets.map((target) => ({
          ...{ event: event.id, target: sealed.seal(target), next_at: event.at, attempts: 0 },
          is_open: settings.openTargets?.includes(target) ? 1 : 0,
        })),
      ),
    );
}

/** The number of the version that a check has seen: a new one, or that of before. */
async function see(
  transaction: SqlConnection,
  { site, at, history }: CheckResult,
  hash: string | null,
): Promise<number> {
  const { response, outage } = history;
  const kind = outage !== null ? 'unreachable' : (response?.kind ?? 'unreachable');
  const seen = { kind: toStoredKind(kind), hash: kind === 'successful' ? hash : null } as const;
  const { origin } = site;
  const last = await transaction.get<Pick<VersionRow, 'number' | 'kind' | 'hash' | 'checks'>>(
    sql`select number, kind, hash, checks from watch_versions where origin = ${origin} and number = ${site.version}`,
  );
  if (last !== undefined && last.kind === seen.kind && last.hash === seen.hash) {
    await transaction.run(
      sql`update watch_versions set last_seen = ${at}, checks = ${last.checks + 1}
          where origin = ${origin} and number = ${last.number}`,
    );
    return last.number;
  }
  const number = site.version + 1;
  const { status = null, code = null, message: reason = null, hops = [] } = outage ?? response ?? {};
  const headers = outage === null ? (response?.headers ?? null) : null;
  const facts = JSON.stringify({ status, code, reason, headers, hops });
  const row = { origin, number, ...seen, facts, first_seen: at, last_seen: at, checks: 1 };
  await transaction.run(insertInto('watch_versions', [row]));
  return number;
}

/** The event of a check; damped if there were too many of late, and one that tells so when it has become quiet. */
async function eventOf(
  transaction: SqlConnection,
  { site, at, meaning, policy }: CheckResult,
  version: number,
): Promise<EventRow | undefined> {
  const { origin, dampedAt } = site;
  if (meaning === undefined) {
    if (dampedAt === null || at - dampedAt < DAMPING.time) return undefined;
    const title = `${origin}: quiet again after many changes. ${describePolicy(policy)}`;
    const base = { id: randomUUID(), origin, version, at };
    return { ...base, kind: 'settled', severity: 'info', title, text: '', details: '{}', damped: 0 };
  }
  const row = await transaction.get<{ recent: number }>(
    sql`select count(*) as recent from watch_events where origin = ${origin} and at > ${at - DAMPING.time}`,
  );
  const damped = (row?.recent ?? 0) >= DAMPING.changes ? 1 : 0;
  return { ...toEvent(site, at, meaning, version), damped };
}

/** PostgreSQL has no NUL in its texts, but the owner's URLs and tests may have. JSON escapes it. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '\\x00');
}

function toEvent(
  { origin }: ClaimedSite,
  at: number,
  { kind, severity, title, text, details }: Meaning,
  version: number,
): Omit<EventRow, 'damped'> {
  return {
    ...{ id: randomUUID(), origin, version, at, kind, severity },
    title: withoutNul(`${origin}: ${title}`),
    text: withoutNul(text),
    details: JSON.stringify(details),
  };
}
