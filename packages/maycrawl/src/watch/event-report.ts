// Events, and the state of a site after a check, as the JSON that programs read, the same in the command and the service.
import { fromStored } from '@maycrawl/client/internal';
import { GOOGLE, type PolicySummary } from '@maycrawl/core';
import type { WatchJson } from '../api/watch-api.ts';
import { createOutageReport, formatRequiredTime, formatTime } from '../reports/policy.ts';
import type { WatchDatabase } from './storage/database.ts';
import { Outbox } from './storage/outbox.ts';
import type { EventSummaryRow } from './storage/report-queries.ts';
import { SiteRepository } from './storage/site-repository.ts';
import { readPolicy } from './storage/stored-rows.ts';
import type { EventRow } from './storage/tables.ts';

/** Returns an event as JSON, without its text and details. */
export function summariseEvent({
  throttled,
  at,
  severity,
  ...event
}: EventSummaryRow): WatchJson<'EventSummary'> {
  const { id, kind, title } = event;
  return {
    ...{ id, kind, title },
    at: formatRequiredTime(at),
    severity: severity as WatchJson<'Severity'>,
    throttled: throttled === 1,
  };
}

/** A change of a site, and its impact. */
export type EventReport = WatchJson<'Event'>;

/** Returns an event as JSON. Times are in ISO 8601. */
export function toEventReport(row: EventRow): EventReport {
  const { origin, version, text, details } = row;
  return {
    ...summariseEvent(row),
    ...{ origin, version, text },
    details: JSON.parse(details) as WatchJson<'Event'>['details'],
  };
}

/** The state of a site after a check. */
export interface SiteCheckReport {
  readonly origin: string;
  readonly policy: PolicySummary;
  /** The current outage; `null`: no outage. */
  readonly outage: ReturnType<typeof createOutageReport>;
  /** The number of the current version. */
  readonly version: number;
  readonly checkedAt: string | null;
  /** The change that the check has found; `null`: no change. */
  readonly event: EventReport | null;
  /** The number of its messages that are not delivered yet. */
  readonly waiting: number;
}

const MAX_WAITING = 1_000;

/** Reads the state of a site. @param start - events since then are new, in milliseconds since 1970. */
export async function readSiteReport(
  database: WatchDatabase,
  origin: string,
  start: number,
): Promise<SiteCheckReport | undefined> {
  const repository = new SiteRepository(database);
  const row = await repository.site(origin);
  if (row === undefined) return undefined;
  const [event] = await repository.events(1, origin);
  const history = fromStored({ response: null, outage: row.outage, body: null });
  const undelivered = await new Outbox(database).undelivered(origin, MAX_WAITING);
  return {
    ...{ origin, policy: readPolicy(row), version: row.version, checkedAt: formatTime(row.checked_at) },
    outage: history === undefined ? null : createOutageReport(history, { profile: GOOGLE, now: Date.now() }),
    event: event === undefined || event.at < start ? null : toEventReport(event),
    waiting: undelivered.filter((each) => each.dropped_at === null).length,
  };
}
