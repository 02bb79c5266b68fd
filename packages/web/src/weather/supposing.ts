/**
 * What can be supposed of a site, as the choices of a form.
 *
 * @module
 */
import type { Supposition, Trouble } from '@maycrawl/client/outage-simulation';
import { DAY, HOUR } from './duration.ts';

/** The form as it is filled in. */
export interface Supposed {
  readonly answer: string;
  readonly count: number;
  readonly unit: 'hours' | 'days';
  readonly before: string;
  readonly isSiteReachable: boolean;
}

const STATUS: Trouble = { code: 'http-status', status: 500, retryAfter: null, saysNotFound: false };
const NO_ANSWER: Trouble = { ...STATUS, code: 'network', status: null };

/** What a site can answer, by names for people. */
export const ANSWERS: ReadonlyMap<string, Supposition['answers']> = new Map<string, Supposition['answers']>([
  ['503 Service Unavailable', { ...STATUS, status: 503 }],
  ['503 with Retry-After: 1 hour', { ...STATUS, status: 503, retryAfter: HOUR }],
  ['500, or another 5xx', STATUS],
  ['5xx whose body says “not found”', { ...STATUS, saysNotFound: true }],
  ['429 Too Many Requests', { ...STATUS, status: 429 }],
  ['nothing: it times out', { ...NO_ANSWER, code: 'timeout' }],
  ['nothing: no DNS, no connection, bad TLS', NO_ANSWER],
  ['404 Not Found, or 410 Gone', 'absent'],
  ['401 Unauthorized, or 403 Forbidden', 'absent'],
  ['redirects without end', 'absent'],
]);

/** What was there before, by names for people. */
export const BEFORES: ReadonlyMap<string, Supposition['before']> = new Map<string, Supposition['before']>([
  ['a file, whose copy has just run out', { kind: 'found', freshFor: 0 }],
  ['a file, whose copy is fresh for 6 hours', { kind: 'found', freshFor: 6 * HOUR }],
  ['a file, whose copy is fresh for a day', { kind: 'found', freshFor: DAY }],
  ['no robots.txt (404)', { kind: 'absent', freshFor: 0 }],
  ['nothing: it was never asked', null],
]);

/** More days than this are not looked at. */
export const MAX_DAYS = 400;

/** What the form begins with. */
export const FIRST: Supposed = {
  answer: '503 Service Unavailable',
  count: 40,
  unit: 'days',
  before: 'a file, whose copy has just run out',
  isSiteReachable: true,
};

/** What is supposed, but for the profile. */
export function suppositionOf({
  answer,
  count,
  unit,
  before,
  isSiteReachable,
}: Supposed): Omit<Supposition, 'profile'> {
  const asked = (Number.isFinite(count) ? Math.max(0, count) : 0) * (unit === 'days' ? DAY : HOUR);
  const lasts = Math.min(asked, MAX_DAYS * DAY);
  return {
    answers: ANSWERS.get(answer) ?? STATUS,
    before: BEFORES.get(before) ?? null,
    lasts,
    isSiteReachable,
    // Long enough to see what comes after: an answer that there is no file counts for a day.
    until: Math.max(lasts * 1.15, lasts + 30 * HOUR),
  };
}
