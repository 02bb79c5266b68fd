/**
 * The sentences about a robots.txt that was loaded.
 *
 * @module
 */
import { formatMoment } from '../../shared/text.ts';
import type { RobotsAnswer } from './robots-answer.ts';

/** "https://example.com: found, status 200" */
export function formatSummary({ origin, outcome, status, reason }: RobotsAnswer): string {
  const detail = reason ?? (status === null ? '' : `status ${status}`);
  return `${origin}: ${outcome}${detail === '' ? '' : `, ${detail}`}`;
}

const POLICIES: Readonly<Record<string, string>> = {
  rules: 'The rules of the file apply',
  absent: 'There is no robots.txt: all URLs are allowed',
  unreachable: 'The robots.txt is unreachable: all URLs are disallowed',
  'outage-expired': 'The robots.txt has been unreachable for so long that all URLs are allowed',
};

/** The effective policy, and when it ends. */
export function describePolicy({ use, expiresAt, failsSince }: RobotsAnswer): string {
  const policy = POLICIES[use] ?? 'The effective policy is unknown';
  if (failsSince !== null) {
    const since = failsSince === '' ? '' : ` It has failed since ${formatMomentText(failsSince)}.`;
    return `${policy}.${since} The tab “Outage” shows how the policy changes with time.`;
  }
  if (expiresAt === null) return `${policy}.`;
  return `${policy} until ${formatMomentText(expiresAt)}; then the file is revalidated.`;
}

/** A time in JSON as a date and a time; unchanged if it is not valid. */
export function formatMomentText(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : formatMoment(time);
}
