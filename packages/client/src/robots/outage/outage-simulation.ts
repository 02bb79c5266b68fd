// Outage simulation: which policies apply if all fetches of robots.txt have one result for some time? It applies the
// outage policy as a client does, which fetches whenever that is due. A pure function, without Node.
import type { PolicySummary, Profile } from '@maycrawl/core';
import { checkOptions, type OptionTypes, quoteValue } from '@maycrawl/core/internal';
import { NO_HEADERS } from '../fetch-result.ts';
import { getFreshnessLifetime } from '../freshness.ts';
import {
  type CachedResponse,
  type Failure,
  getOutageStart,
  NO_HISTORY,
  type OriginHistory,
  withFailure,
  withResponse,
} from '../history.ts';
import { getFailureClass } from './failure-class.ts';
import { type FailureProfile, getEffectivePolicy, getUncountedClasses } from './outage-policy.ts';

/** The failure of the simulated fetches. */
export interface SimulatedFailure {
  readonly code: Failure['code'];
  /** Status of the response; `null` without one. */
  readonly status: number | null;
  /** Retry-After in milliseconds; `null` without one. */
  readonly retryAfter: number | null;
  /** Whether the body of a 5xx says that the page was not found. */
  readonly saysNotFound: boolean;
}

/** The input of a simulation. Durations are in milliseconds. */
export interface OutageScenario {
  readonly profile: Profile;
  /** The last response, and how long it is still fresh; `null` if there was none. */
  readonly before: { readonly kind: CachedResponse['kind']; readonly freshFor: number } | null;
  /** The result of fetches from now on: there is no file, or they fail. */
  readonly result: 'unavailable' | SimulatedFailure;
  /** The duration of that result. After it, fetches have the kind of `before`, or a file if that is `null`. */
  readonly lasts: number;
  /** Whether other pages of the site can be fetched meanwhile. */
  readonly isSiteReachable: boolean;
  /** The end of the simulation. */
  readonly until: number;
}

/** An interval with one policy, in milliseconds since the start. */
export interface PolicyInterval {
  readonly from: number;
  readonly to: number;
  readonly policy: PolicySummary;
  /** Whether it follows from a fresh response; otherwise there is an outage. */
  readonly isFresh: boolean;
}

/**
 * Simulates an outage. Returns intervals without gaps, each different from the one before it.
 *
 * @throws {TypeError} for an unknown or missing property of the scenario, or one of a wrong type.
 * @throws {RangeError} if `until` or `lasts` is negative or infinite.
 */
export function simulateOutage(scenario: OutageScenario): PolicyInterval[] {
  checkScenario<OutageScenario>('simulateOutage', scenario, { profile: 'object', ...SCENARIO_TYPES });
  const { profile, before, lasts, until, isSiteReachable } = scenario;
  const intervals: PolicyInterval[] = [];
  let history = before === null ? NO_HISTORY : withResponse(createResponse(before.kind, 0, before.freshFor));
  for (let now = 0; now < until; ) {
    const { policy, refreshAt, isFresh } = getEffectivePolicy(profile, history, { now, isSiteReachable });
    if (!isFresh && refreshAt <= now) {
      history = now < lasts ? fetchDuring(history, scenario, now) : fetchAfter(scenario, now);
      continue;
    }
    const to = Math.min(refreshAt, getNextPhaseStart(profile, history, now), until);
    addInterval(intervals, { from: now, to, policy, isFresh });
    now = to;
  }
  return intervals;
}

/** The types of the properties of a scenario that do not depend on a profile. */
export const SCENARIO_TYPES: OptionTypes<Omit<OutageScenario, 'profile'>> = {
  ...{ before: ['object', 'null'], result: ['string', 'object'], lasts: 'number' },
  ...{ isSiteReachable: 'boolean', until: 'number' },
};

const FAILURE_TYPES: OptionTypes<SimulatedFailure> = {
  ...{ code: 'string', status: ['number', 'null'], retryAfter: ['number', 'null'], saysNotFound: 'boolean' },
};

/** Checks a scenario. @param types - those of its properties, all of which are required. */
export function checkScenario<Scenario extends Omit<OutageScenario, 'profile'>>(
  owner: string,
  scenario: Scenario,
  types: OptionTypes<Scenario>,
): void {
  checkOptions<Scenario>(owner, scenario, types, Object.keys(types) as (keyof Scenario & string)[]);
  const { before, result, lasts, until } = scenario;
  if (before !== null)
    checkOptions<typeof before>(`before of ${owner}`, before, { kind: 'string', freshFor: 'number' }, [
      'kind',
      'freshFor',
    ]);
  if (typeof result === 'object')
    checkOptions<SimulatedFailure>(`result of ${owner}`, result, FAILURE_TYPES, [
      ...(['code', 'status', 'retryAfter', 'saysNotFound'] as const),
    ]);
  else if (result !== 'unavailable') throw new RangeError(`not a result of a fetch: ${quoteValue(result)}`);
  for (const time of [lasts, until])
    if (!(time >= 0 && time < Infinity))
      throw new RangeError(`not a number of milliseconds: ${String(time)}`);
}

/**
 * Returns when an outage began under a profile, in milliseconds since 1970: after the last failure that the profile does not count. It is
 * the time of the first failure if the profile does not count the last one, and `null` if there is no outage.
 */
export function getCountedOutageStart(
  profile: FailureProfile,
  history: OriginHistory,
  now: number,
): number | null {
  const { outage } = history;
  if (outage === null) return null;
  const uncounted = getUncountedClasses(profile);
  return uncounted.includes(getFailureClass(outage)) ? outage.since : getOutageStart(history, now, uncounted);
}

/** Returns when the next phase of an outage starts, in milliseconds since 1970; `Infinity` in the last phase and without an outage. */
export function getNextPhaseStart(profile: FailureProfile, history: OriginHistory, now: number): number {
  const uncounted = getUncountedClasses(profile);
  if (history.outage === null || uncounted.includes(getFailureClass(history.outage))) return Infinity;
  const since = getOutageStart(history, now, uncounted);
  const times = profile.outage.phases.map(({ from }) => since + from);
  return Math.min(...times.filter((time) => time > now), Infinity);
}

function fetchDuring(history: OriginHistory, { result }: OutageScenario, now: number): OriginHistory {
  if (result === 'unavailable') return withResponse(createResponse('unavailable', now));
  const { retryAfter, ...failure } = result;
  const retryAt = retryAfter === null ? null : now + retryAfter;
  return withFailure(history, { at: now, ...failure, retryAt, message: '', hops: [], timings: { total: 0 } });
}

function fetchAfter({ before }: OutageScenario, now: number): OriginHistory {
  return withResponse(createResponse(before?.kind ?? 'successful', now));
}

function createResponse(
  kind: CachedResponse['kind'],
  fetchedAt: number,
  freshFor: number = getFreshnessLifetime(NO_HEADERS, fetchedAt),
): CachedResponse {
  const staleAt = fetchedAt + freshFor;
  const details = { status: null, code: null, message: null, hops: [], timings: { total: 0 } };
  return { ...details, kind, fetchedAt, staleAt, headers: NO_HEADERS, bytes: new Uint8Array() };
}

/** Adds an interval, or extends the last one if it is the same policy. */
export function addInterval(intervals: PolicyInterval[], interval: PolicyInterval): void {
  const last = intervals.at(-1);
  // Policies of one code are one object.
  if (last?.policy === interval.policy && last.isFresh === interval.isFresh)
    intervals[intervals.length - 1] = { ...last, to: interval.to };
  else intervals.push(interval);
}
