// Attempts to analyse a response. An attempt is recorded before the analysis starts and cleared when the analysis is complete, so that
// one which ends the whole process counts as well. A site whose analysis was ended twice is set aside: it is reported once, fetched once
// a day, and analysed again when its response has changed.

import type { OriginHistory } from '@maycrawl/client';
import { type SqlConnection, sql } from '@maycrawl/client/internal';
import { ASPECTS } from '../../api/watch/aspects.ts';
import { formatCount } from '../../text/counts.ts';
import { formatDuration } from '../../text/durations.ts';
import type { Impact } from '../analysis/impact/impact-types.ts';
import type { SiteSettings } from '../site.ts';
import { hashContent } from './contents.ts';
import type { WatchDatabase } from './database.ts';
import type { ClaimedSite } from './recording.ts';
import { splitIntoChunks, toSqlList } from './rows.ts';

/** A site is set aside after this number of incomplete attempts. */
const MAX_ATTEMPTS = 2;
/** The pause after work without a result: a check, an audit, a reading of a log. Milliseconds. */
export const RETRY_PAUSE = 300_000;
/** The interval of fetches of a site that is set aside, in milliseconds. */
export const SET_ASIDE_PAUSE = 86_400_000;

/** Whether a site must be set aside now: the process ended in its last attempt. */
export function isExhausted({ attempts, setAsideAt }: ClaimedSite): boolean {
  return setAsideAt === null && attempts >= MAX_ATTEMPTS;
}

/** Returns a name of a response; equal responses have the same name. */
export function getResponseName({ response, outage }: OriginHistory): string {
  if (outage !== null) return 'unreachable';
  return response?.kind === 'successful' ? hashContent(response.bytes) : 'unavailable';
}

/**
 * Records that an analysis starts.
 *
 * @param response - its name ({@link getResponseName}).
 * @returns the number of attempts with this one; `undefined` if another worker has claimed the site meanwhile.
 */
export async function recordAttempt(
  { db }: WatchDatabase,
  { origin, owner, attempts: before, setAsideAt }: ClaimedSite,
  response: string,
): Promise<number | undefined> {
  // The response of a site that was set aside has changed; it has one attempt.
  const attempts = setAsideAt === null ? before + 1 : MAX_ATTEMPTS;
  const count = await db.run(
    sql`update watch_sites set attempts = ${attempts}, attempted_response = ${response}
        where origin = ${origin} and lease_owner = ${owner}`,
  );
  return count > 0 ? attempts : undefined;
}

/** Withdraws an attempt that was aborted because the worker stops. */
export async function withdrawAttempt({ db }: WatchDatabase, site: ClaimedSite): Promise<void> {
  await db.run(
    sql`update watch_sites set attempts = ${site.attempts}, attempted_response = ${site.attemptedResponse}
        where origin = ${site.origin} and lease_owner = ${site.owner}`,
  );
}

/** Releases sites whose checks have no result, until a time. All have the same owner. */
export async function postpone(
  { db }: WatchDatabase,
  sites: readonly Pick<ClaimedSite, 'origin' | 'owner'>[],
  dueAt: number,
): Promise<void> {
  for (const some of splitIntoChunks(sites))
    await db.run(
      sql`update watch_sites set due_at = ${dueAt}, lease_owner = null, lease_until = null
          where origin in ${toSqlList(some.map(({ origin }) => origin))} and lease_owner = ${some[0]?.owner ?? ''}`,
    );
}

/** Returns the time of the next attempt, in milliseconds since 1970; `undefined` if the site must be set aside. */
export function getNextAttempt(attempts: number, every: number, now: number): number | undefined {
  return attempts < MAX_ATTEMPTS ? now + Math.min(every, RETRY_PAUSE) : undefined;
}

/**
 * Describes that a site is set aside.
 *
 * @param reason - why the last attempt ended.
 * @param size - the bytes of the file; `null` if there is no file, or its size is unknown.
 */
export function describeSetAside(
  { severity }: SiteSettings,
  reason: string,
  response: string | null,
  size: number | null,
): Impact {
  const file = size === null ? 'its last response' : `its file of ${formatCount(size, 'byte')}`;
  return {
    kind: 'set-aside',
    aspects: ['set-aside'],
    severity: severity?.['set-aside'] ?? ASPECTS['set-aside'].severity,
    title: `set aside: the analysis of ${file} was ended ${MAX_ATTEMPTS} times, and changes are not reported`,
    text: [
      `the last time: ${reason}`,
      `it is fetched again after ${formatDuration(SET_ASIDE_PAUSE)}, and analysed if it sends something else`,
      'maycrawl watch check analyses it again immediately',
    ].join('\n'),
    details: { aspects: ['set-aside'], reason, response, bytes: size },
  };
}

/** Makes sites that are set aside due, and clears attempts. */
export async function releaseSetAside(
  transaction: SqlConnection,
  origins: readonly string[],
  dueAt: number,
): Promise<void> {
  const some = toSqlList(origins);
  await transaction.run(
    sql`update watch_sites set due_at = ${dueAt}, set_aside_at = null
        where origin in ${some} and set_aside_at is not null`,
  );
  await transaction.run(
    sql`update watch_sites set attempts = 0, attempted_response = null where origin in ${some} and attempts > 0`,
  );
}
