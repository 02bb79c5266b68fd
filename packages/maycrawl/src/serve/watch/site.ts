// The state of one monitored site: the effective policy, versions, events and pending notifications.

import { fromStored } from '@maycrawl/client/internal';
import { GOOGLE } from '@maycrawl/core';
import { truncate } from '@maycrawl/core/internal';
import type { WatchJson } from '../../api/watch-api.ts';
import { createOutageReport, formatRequiredTime, formatTime } from '../../reports/policy.ts';
import { toEventReport } from '../../watch/event-report.ts';
import { describeTarget } from '../../watch/notifications/targets/target.ts';
import { DEFAULT_CONFIRM, type SiteSettings } from '../../watch/site.ts';
import type { FailingTarget, Outbox, UndeliveredRow } from '../../watch/storage/outbox.ts';
import type { SizedVersionRow } from '../../watch/storage/report-queries.ts';
import type { SiteRepository } from '../../watch/storage/site-repository.ts';
import { readFacts, readKind, readPolicy } from '../../watch/storage/stored-rows.ts';
import type { SiteRow } from '../../watch/storage/tables.ts';
import { Problem } from '../http/problems.ts';

/** Rows in one response; more are requested by number and time. */
const VERSIONS = 200;
const EVENTS = 100;
const DELIVERIES = 100;

/** Returns the row of a site. @throws {Problem} `not-found` if the site is not monitored. */
export async function requireSite(repository: SiteRepository, origin: string): Promise<SiteRow> {
  const row = await repository.site(origin);
  if (row !== undefined) return row;
  throw new Problem('not-found', `${truncate(origin, 200)} is not monitored`);
}

/** Creates the report that the page of a site shows. */
export async function createSiteReport(
  { repository, outbox }: { readonly repository: SiteRepository; readonly outbox: Outbox },
  origin: string,
  now: number,
): Promise<WatchJson<'Site'>> {
  const row = await requireSite(repository, origin);
  // Without its file, which the outage does not need.
  const history = fromStored({ response: null, outage: row.outage, body: null });
  const [versions, events, deliveries] = await Promise.all([
    repository.versions(origin, { limit: VERSIONS + 1 }),
    repository.events(EVENTS + 1, origin),
    outbox.undelivered(origin, DELIVERIES),
  ]);
  return {
    origin,
    policy: readPolicy(row),
    version: row.version,
    checks: row.checks,
    checkedAt: formatTime(row.checked_at),
    dueAt: formatRequiredTime(row.due_at),
    throttledAt: formatTime(row.throttled_at),
    outage: history === undefined ? null : createOutageReport(history, { profile: GOOGLE, now }),
    settings: describeSettings(repository.settingsIn(row)),
    versions: versions.slice(0, VERSIONS).map(toVersionReport),
    moreVersions: versions.length > VERSIONS,
    events: events.slice(0, EVENTS).map(toEventReport),
    moreEvents: events.length > EVENTS,
    deliveries: deliveries.map(toDeliveryReport),
  };
}

/** Returns the targets of a site without their secrets, with the least severity of events that each receives. */
export function listTargets({ notify, notifyFrom = {} }: SiteSettings): WatchJson<'ShownTarget'>[] {
  return notify.map((target) => ({ shown: describeTarget(target), from: notifyFrom[target] ?? 'info' }));
}

function describeSettings(settings: SiteSettings): WatchJson<'ShownSettings'> {
  const { every, confirm = DEFAULT_CONFIRM, agents, urls, tests, severity = {} } = settings;
  return {
    ...{ every, confirm, agents, severity },
    urls: urls?.name ?? null,
    tests: tests?.name ?? null,
    notify: listTargets(settings),
  };
}

export function toVersionReport(row: SizedVersionRow): WatchJson<'Version'> {
  const { number, hash, bytes, checks, same_as } = row;
  return {
    ...{ number, hash, bytes, checks },
    sameAs: same_as === number ? null : same_as,
    firstSeen: formatRequiredTime(row.first_seen),
    lastSeen: formatRequiredTime(row.last_seen),
    kind: readKind(row.kind),
    ...readFacts(row),
  };
}

/** Returns a notification as JSON. Its target is shown without secrets. */
function toDeliveryReport({ target, ...row }: UndeliveredRow): WatchJson<'Delivery'> {
  const { event, title, attempts, error } = row;
  const isDropped = row.dropped_at !== null;
  return {
    ...{ event, title, attempts, error },
    target: describeTarget(target),
    state: isDropped ? 'dropped' : 'waiting',
    nextAt: isDropped ? null : formatTime(row.next_at),
    droppedAt: formatTime(row.dropped_at),
  };
}

/** Returns a target without deliveries as JSON. */
export function toFailingReport({
  target,
  since,
  alerts,
  reason,
}: FailingTarget): WatchJson<'FailingTarget'> {
  return { target: describeTarget(target), since: formatTime(since), alerts, reason };
}

/** Reads a version with its file. @throws {Problem} `not-found` if the site or the version does not exist. */
export async function readVersion(
  repository: SiteRepository,
  origin: string,
  number: number,
): Promise<WatchJson<'Version'> & { readonly file: Uint8Array | null }> {
  await requireSite(repository, origin);
  const [version] = await repository.versions(origin, { limit: 1, before: number + 1 });
  if (version?.number !== number) throw new Problem('not-found', `there is no version ${number}`);
  const { hash } = version;
  return {
    ...toVersionReport(version),
    file: hash === null ? null : ((await repository.content(hash)) ?? null),
  };
}
