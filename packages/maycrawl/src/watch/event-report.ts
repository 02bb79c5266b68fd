/**
 * Events as the JSON that programs read, the same in the command and the service.
 *
 * @module
 */
import { parseStoredDetails } from './former-names.ts';
import type { EventRow } from './tables.ts';

/** Returns an event as JSON. Times are in ISO 8601. */
export function toEventReport({ at, details, damped, ...event }: EventRow): object {
  return {
    ...event,
    at: new Date(at).toISOString(),
    throttled: damped === 1,
    details: parseStoredDetails(details),
  };
}
