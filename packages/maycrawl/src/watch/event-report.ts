/**
 * Events as the JSON that programs read, the same in the command and the service.
 *
 * @module
 */
import type { WatchJson } from '../api/watch-api.ts';
import { formatRequiredTime } from '../reports/policy.ts';
import { parseStoredDetails } from './storage/former-names.ts';
import type { EventRow } from './storage/tables.ts';

/** The columns of a summary. */
export type EventSummaryRow = Pick<EventRow, 'id' | 'at' | 'kind' | 'severity' | 'title' | 'damped'>;

/** Returns an event as JSON, without its text and details. */
export function summariseEvent({
  damped,
  at,
  severity,
  ...event
}: EventSummaryRow): WatchJson<'EventSummary'> {
  const { id, kind, title } = event;
  return {
    ...{ id, kind, title },
    at: formatRequiredTime(at),
    severity: severity as WatchJson<'Severity'>,
    throttled: damped === 1,
  };
}

/** What happened to a site, and what it means. */
export type EventReport = WatchJson<'Event'>;

/** Returns an event as JSON. Times are in ISO 8601. */
export function toEventReport(row: EventRow): EventReport {
  const { origin, version, text, details } = row;
  return {
    ...summariseEvent(row),
    ...{ origin, version, text },
    details: parseStoredDetails(details) as WatchJson<'Event'>['details'],
  };
}
