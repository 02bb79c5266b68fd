/**
 * Attempts to analyse what a site sends. An attempt is recorded before the analysis starts and cleared when it has ended by itself, so
 * that one which takes the whole process down counts as well. A site whose analysis was ended twice is set aside: it is reported once,
 * and then only fetched from time to time, and analysed again when it sends something else.
 *
 * @module
 */

import type { OriginHistory } from '@maycrawl/client';
import { sql } from '@maycrawl/client/database';
import { toStoredKind } from '@maycrawl/client/origins';
import { SEVERITY_OF } from './analysis/aspects.ts';
import type { Meaning } from './analysis/meaning.ts';
import type { SiteSettings } from './site.ts';
import { hashOf } from './storage/contents.ts';
import type { WatchDatabase } from './storage/database.ts';
import type { ClaimedSite } from './storage/recording.ts';

/** A site is set aside after this number of attempts that did not end. */
const MAX_ATTEMPTS = 2;
/** The pause after a check without a result, in milliseconds. */
export const RETRY_PAUSE = 300_000;
/** From one fetch of a site that is set aside to the next, in milliseconds. */
export const SET_ASIDE_PAUSE = 86_400_000;

/** Whether the next thing to do with a site is to set it aside: the process ended in its last attempt. */
export function isExhausted({ attempts, setAsideAt }: ClaimedSite): boolean {
  return setAsideAt === null && attempts >= MAX_ATTEMPTS;
}

/** Names what an attempt analyses: the same response has the same name. */
export function nameResponse({ response, outage }: OriginHistory): string {
  if (outage !== null) return toStoredKind('unreachable');
  return response?.kind === 'successful' ? hashOf(response.bytes) : toStoredKind('unavailable');
}

/**
 * Records that an analysis starts.
 *
 * @param response - its name ({@link nameResponse}).
 * @returns the number of attempts with this one; `undefined` if another worker has claimed the site meanwhile.
 */
export async function recordAttempt(
  { db }: WatchDatabase,
  { origin, owner, attempts: before, setAsideAt }: ClaimedSite,
  response: string,
): Promise<number | undefined> {
  // A site that was set aside sends something else now, and has one attempt.
  const attempts = setAsideAt === null ? before + 1 : MAX_ATTEMPTS;
  const count = await db.run(
    sql`update watch_sites set attempts = ${attempts}, attempt_of = ${response}
        where origin = ${origin} and lease_owner = ${owner}`,
  );
  return count > 0 ? attempts : undefined;
}

/** Withdraws an attempt that the worker broke off because it stops. */
export async function withdrawAttempt({ db }: WatchDatabase, site: ClaimedSite): Promise<void> {
  await db.run(
    sql`update watch_sites set attempts = ${site.attempts}, attempt_of = ${site.attemptOf}
        where origin = ${site.origin} and lease_owner = ${site.owner}`,
  );
}

/** Gives a site back whose check has no result, until a time. */
export async function postpone(
  { db }: WatchDatabase,
  site: Pick<ClaimedSite, 'origin' | 'owner'>,
  dueAt: number,
): Promise<void> {
  await db.run(
    sql`update watch_sites set due_at = ${dueAt}, lease_owner = null, lease_until = null
        where origin = ${site.origin} and lease_owner = ${site.owner}`,
  );
}

/** When the next attempt is, in milliseconds since 1970; `undefined` if there is none: the site is to be set aside. */
export function getNextAttempt(attempts: number, every: number, now: number): number | undefined {
  return attempts < MAX_ATTEMPTS ? now + Math.min(every, RETRY_PAUSE) : undefined;
}

/**
 * Describes that a site is set aside, as an event.
 *
 * @param reason - what ended the last attempt.
 * @param size - of the file in bytes; `null` if there is none, or it is not known.
 */
export function describeSetAside(
  { severity }: SiteSettings,
  reason: string,
  response: string | null,
  size: number | null,
): Meaning {
  const file = size === null ? 'its last response' : `its file of ${size.toLocaleString('en')} bytes`;
  const hours = SET_ASIDE_PAUSE / 3_600_000;
  return {
    kind: 'set-aside',
    aspects: ['set-aside'],
    severity: severity?.['set-aside'] ?? SEVERITY_OF['set-aside'],
    title: `set aside: the analysis of ${file} was ended ${MAX_ATTEMPTS} times, and changes are not reported`,
    text: [
      `the last time: ${reason}`,
      `every ${hours} h it is fetched, and analysed when it sends something else`,
      'maycrawl watch check analyses it again at once',
    ].join('\n'),
    details: { aspects: ['set-aside'], reason, response, bytes: size },
  };
}
