/**
 * The sentences about a robots.txt that was loaded.
 *
 * @module
 */
import { describeOriginPolicy } from '@maycrawl/client/policy';
import { parseTime } from '../../shared/service.ts';
import { formatMoment } from '../../shared/text.ts';
import type { OriginReport } from './origin-report.ts';

/** "https://example.com: successful, status 200" */
export function formatSummary({ origin, result, status, message }: OriginReport): string {
  const detail = message ?? (status === null ? '' : `status ${status}`);
  return `${origin}: ${result}${detail === '' ? '' : `, ${detail}`}`;
}

/** The effective policy, and when the next fetch is due. */
export function describePolicy({ policy, outage, message, expiresAt }: OriginReport): string {
  const text = describeOriginPolicy(
    { policy, outage: outage && { ...outage, message }, nextPhaseAt: outage?.nextPhaseAt ?? null },
    formatMoment,
  );
  return expiresAt === null ? text : `${text} The next fetch is due at ${formatMomentText(expiresAt)}.`;
}

/** A time in JSON as a date and a time; unchanged if it is not valid. */
export function formatMomentText(text: string): string {
  const time = parseTime(text);
  return time === null ? text : formatMoment(time);
}
