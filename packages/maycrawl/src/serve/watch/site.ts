/**
 * What is known of one site that is watched: what holds, its versions, what happened, and who is still to be told of it.
 *
 * @module
 */

import type { WatchDatabase } from '../../watch/database.ts';
import { toEventReport } from '../../watch/event-report.ts';
import type { SiteSettings } from '../../watch/site.ts';
import type { EventRow, SiteRow, VersionRow } from '../../watch/tables.ts';
import { describeTarget } from '../../watch/telling/target.ts';
import { Problem } from '../http/problems.ts';
import { readFacts, timeOf } from './sites.ts';

/** So many are given at a time; further ones are asked for by number and time. */
const VERSIONS = 200;
const EVENTS = 100;
const DELIVERIES = 100;

/** @throws {Problem} if it is not watched. */
export async function requireSite({ db }: WatchDatabase, origin: string): Promise<SiteRow> {
  const row = await db.selectFrom('watch_sites').selectAll().where('origin', '=', origin).executeTakeFirst();
  if (row !== undefined) return row;
  throw new Problem('not-found', `${origin.slice(0, 200)} is not watched`);
}

/** All that a page shows of a site. */
export async function siteReport(database: WatchDatabase, origin: string): Promise<object> {
  const { settings, ...row } = await requireSite(database, origin);
  const [versions, events, deliveries] = await Promise.all([
    versionsOf(database, origin, VERSIONS + 1),
    eventsOf(database, EVENTS + 1, { origin }),
    deliveriesOf(database, origin),
  ]);
  return {
    origin,
    ...{ holds: row.holds, version: row.version, checks: row.checks },
    checkedAt: timeOf(row.checked_at),
    dueAt: timeOf(row.due_at),
    throttledAt: timeOf(row.damped_at),
    outage: row.outage === null ? null : outageReport(row.outage),
    settings: shownSettings(database.targets.parseSettings({ origin, settings })),
    versions: versions.slice(0, VERSIONS),
    moreVersions: versions.length > VERSIONS,
    events: events.slice(0, EVENTS).map(toEventReport),
    moreEvents: events.length > EVENTS,
    deliveries,
  };
}

function outageReport(outage: string): object {
  const { since, lastAt, failures, reason } = JSON.parse(outage) as Record<string, number | string>;
  return { since: timeOf(Number(since)), lastAt: timeOf(Number(lastAt)), failures, reason };
}

function shownSettings({ every, agents, urls, tests, notify, severity = {} }: SiteSettings): object {
  return {
    ...{ every, agents, severity },
    urls: urls?.name ?? null,
    tests: tests?.name ?? null,
    notify: notify.map(describeTarget),
  };
}

/** A version in JSON; `bytes` is the size of its file, `null` where there is none. */
export interface VersionReport {
  readonly number: number;
  readonly kind: VersionRow['kind'];
  readonly hash: string | null;
  readonly bytes: number | null;
}

/** Versions, the newest first; those before one. */
export async function versionsOf(
  { db }: WatchDatabase,
  origin: string,
  limit: number,
  before: number | null = null,
): Promise<VersionReport[]> {
  const rows = await db
    .selectFrom('watch_versions')
    .leftJoin('watch_contents', 'watch_contents.hash', 'watch_versions.hash')
    .select(['number', 'kind', 'watch_versions.hash as hash', 'facts', 'first_seen', 'last_seen', 'checks'])
    .select(({ fn }) => fn<number | null>('octet_length', ['bytes']).as('bytes'))
    .where('origin', '=', origin)
    .$if(before !== null, (all) => all.where('number', '<', before as number))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ facts, first_seen, last_seen, ...row }) => ({
    ...row,
    firstSeen: timeOf(first_seen),
    lastSeen: timeOf(last_seen),
    ...readFacts(facts),
  }));
}

/** Events, the newest first: of one site or all, those before a time. */
export async function eventsOf(
  { db }: WatchDatabase,
  limit: number,
  { origin, before }: { readonly origin?: string; readonly before?: number } = {},
): Promise<EventRow[]> {
  return db
    .selectFrom('watch_events')
    .selectAll()
    .$if(origin !== undefined, (all) => all.where('origin', '=', origin as string))
    .$if(before !== undefined, (all) => all.where('at', '<', before as number))
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
}

/** What was not delivered yet, or given up, the newest first. Targets are shown without what is secret in them. */
async function deliveriesOf({ db, targets }: WatchDatabase, origin: string): Promise<object[]> {
  const rows = await db
    .selectFrom('watch_events')
    .innerJoin('watch_outbox', 'watch_outbox.event', 'watch_events.id')
    .select(['watch_events.id as event', 'title', 'target', 'attempts', 'next_at', 'error', 'dropped_at'])
    .where('origin', '=', origin)
    .where('delivered_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(DELIVERIES)
    .execute();
  return rows.map(({ event, title, target, attempts, error, ...row }) => ({
    ...{ event, title, attempts, error },
    target: describeTarget(targets.openIfPossible(target)),
    state: row.dropped_at === null ? 'waiting' : 'dropped',
    nextAt: row.dropped_at === null ? timeOf(row.next_at) : null,
    droppedAt: timeOf(row.dropped_at),
  }));
}

/** A version, and its file; `null` where there is none. @throws {Problem} if there is no such version. */
export async function versionReport(
  database: WatchDatabase,
  origin: string,
  number: number,
): Promise<VersionReport & { readonly file: Uint8Array | null }> {
  await requireSite(database, origin);
  const [version] = await versionsOf(database, origin, 1, number + 1);
  if (version?.number !== number) throw new Problem('not-found', `there is no version ${number}`);
  return { ...version, file: version.hash === null ? null : await contentOf(database, version.hash) };
}

/** A content by its hash; `null` if it is not kept any more. */
export async function contentOf({ db }: WatchDatabase, hash: string): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('watch_contents')
    .select('bytes')
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.bytes ?? null;
}
