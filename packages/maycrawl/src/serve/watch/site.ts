/**
 * The state of one monitored site: the effective policy, versions, events and pending notifications.
 *
 * @module
 */
import { sql } from '@maycrawl/client/database';
import { fromStored } from '@maycrawl/client/origins';
import { getNextPhaseStart } from '@maycrawl/client/policy';
import { GOOGLE } from '@maycrawl/core';
import type { WatchJson } from '../../api/watch-api.ts';
import { createOutageReport, formatRequiredTime, formatTime } from '../../reports/policy.ts';
import { toEventReport } from '../../watch/event-report.ts';
import { describeTarget } from '../../watch/notifications/targets/target.ts';
import type { SiteSettings } from '../../watch/site.ts';
import { findContents } from '../../watch/storage/contents.ts';
import type { WatchDatabase } from '../../watch/storage/database.ts';
import { readFacts, readKind, readPolicy } from '../../watch/storage/stored-rows.ts';
import type { EventRow, OutboxRow, SiteRow, VersionRow } from '../../watch/storage/tables.ts';
import { Problem } from '../http/problems.ts';

/** Rows in one response; more are requested by number and time. */
const VERSIONS = 200;
const EVENTS = 100;
const DELIVERIES = 100;

/** Returns the row of a site. @throws {Problem} `not-found` if the site is not monitored. */
export async function requireSite({ db }: WatchDatabase, origin: string): Promise<SiteRow> {
  const row = await db.get<SiteRow>(sql`select * from watch_sites where origin = ${origin}`);
  if (row !== undefined) return row;
  throw new Problem('not-found', `${origin.slice(0, 200)} is not monitored`);
}

/** Creates the report that the page of a site shows. */
export async function createSiteReport(
  database: WatchDatabase,
  origin: string,
  now: number,
): Promise<WatchJson<'Site'>> {
  const { settings, ...row } = await requireSite(database, origin);
  // Without its file, which the outage does not need.
  const history = fromStored({ answer: null, outage: row.outage, body: null });
  const [versions, events, deliveries] = await Promise.all([
    readVersions(database, origin, VERSIONS + 1),
    readEvents(database, EVENTS + 1, { origin }),
    readDeliveries(database, origin),
  ]);
  return {
    origin,
    policy: readPolicy(row),
    ...{ version: row.version, checks: row.checks },
    checkedAt: formatTime(row.checked_at),
    dueAt: formatRequiredTime(row.due_at),
    throttledAt: formatTime(row.damped_at),
    outage:
      history === undefined ? null : createOutageReport(history, getNextPhaseStart(GOOGLE, history, now)),
    settings: describeSettings(database.targets.parseSettings({ origin, settings })),
    versions: versions.slice(0, VERSIONS),
    moreVersions: versions.length > VERSIONS,
    events: events.slice(0, EVENTS).map(toEventReport),
    moreEvents: events.length > EVENTS,
    deliveries,
  };
}

function describeSettings({
  every,
  agents,
  urls,
  tests,
  notify,
  severity = {},
}: SiteSettings): WatchJson<'ShownSettings'> {
  return {
    ...{ every, agents, severity },
    urls: urls?.name ?? null,
    tests: tests?.name ?? null,
    notify: notify.map(describeTarget),
  };
}

/** Reads versions, the newest first. @param before - a number: only older versions. */
export async function readVersions(
  { db }: WatchDatabase,
  origin: string,
  limit: number,
  before: number | null = null,
): Promise<WatchJson<'Version'>[]> {
  const earlier = before === null ? sql`` : sql`and number < ${before}`;
  const rows = await db.all<VersionRow & { readonly bytes: number | null }>(
    sql`select number, kind, version.hash as hash, facts, first_seen, last_seen, checks, octet_length(bytes) as bytes
        from watch_versions as version left join watch_contents as content on content.hash = version.hash
        where origin = ${origin} ${earlier} order by number desc limit ${limit}`,
  );
  return rows.map(({ facts, first_seen, last_seen, kind, ...row }) => ({
    ...row,
    firstSeen: formatRequiredTime(first_seen),
    lastSeen: formatRequiredTime(last_seen),
    kind: readKind(kind),
    ...readFacts({ facts }),
  }));
}

/** Reads events of one site or all, the newest first. */
export async function readEvents(
  { db }: WatchDatabase,
  limit: number,
  { origin, before }: { readonly origin?: string; readonly before?: number } = {},
): Promise<EventRow[]> {
  const ofOrigin = origin === undefined ? sql`` : sql`and origin = ${origin}`;
  const earlier = before === undefined ? sql`` : sql`and at < ${before}`;
  return db.all<EventRow>(
    sql`select * from watch_events where true ${ofOrigin} ${earlier} order by at desc limit ${limit}`,
  );
}

/** Reads notifications that wait or were dropped, the newest first. Targets are shown without their secrets. */
async function readDeliveries(
  { db, targets }: WatchDatabase,
  origin: string,
): Promise<WatchJson<'Delivery'>[]> {
  const rows = await db.all<OutboxRow & Pick<EventRow, 'title'>>(
    sql`select event, title, target, attempts, next_at, error, dropped_at
        from watch_events join watch_outbox on event = id
        where origin = ${origin} and delivered_at is null order by at desc limit ${DELIVERIES}`,
  );
  return rows.map(({ event, title, target, attempts, error, ...row }) => ({
    ...{ event, title, attempts, error },
    target: describeTarget(targets.openIfPossible(target)),
    state: row.dropped_at === null ? 'waiting' : 'dropped',
    nextAt: row.dropped_at === null ? formatTime(row.next_at) : null,
    droppedAt: formatTime(row.dropped_at),
  }));
}

/** Reads a version with its file. @throws {Problem} `not-found` if the site or the version does not exist. */
export async function readVersion(
  database: WatchDatabase,
  origin: string,
  number: number,
): Promise<WatchJson<'Version'> & { readonly file: Uint8Array | null }> {
  await requireSite(database, origin);
  const [version] = await readVersions(database, origin, 1, number + 1);
  if (version?.number !== number) throw new Problem('not-found', `there is no version ${number}`);
  return { ...version, file: version.hash === null ? null : await readContent(database, version.hash) };
}

/** Reads a stored file by its hash; `null` if it was pruned. */
export async function readContent({ db }: WatchDatabase, hash: string): Promise<Uint8Array | null> {
  const [content] = await findContents(db, [hash]);
  return content?.bytes ?? null;
}
