/**
 * Events as the JSON that programs read, the same in the command and the service.
 *
 * @module
 */
import type { WatchJson } from '../api/watch-api.ts';
import { formatRequiredTime } from '../reports/policy.ts';
import type { EventSummaryRow } from './storage/report-queries.ts';
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
