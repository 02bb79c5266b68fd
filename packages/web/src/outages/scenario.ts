// Scenarios of an outage as the choices of a form.
import type { OutageScenario, SimulatedFailure } from '@maycrawl/client/policy';
import { DAY, HOUR } from './duration.ts';

export interface ScenarioForm {
  readonly result: string;
  readonly count: number;
  readonly unit: 'hours' | 'days';
  readonly before: string;
  readonly isSiteReachable: boolean;
}

const STATUS: SimulatedFailure = { code: 'http-status', status: 500, retryAfter: null, saysNotFound: false };
const NO_RESPONSE: SimulatedFailure = { ...STATUS, code: 'network', status: null };

/** Results of fetches, by names for people. */
export const RESULTS: ReadonlyMap<string, OutageScenario['result']> = new Map<
  string,
  OutageScenario['result']
>([
  ['503 Service Unavailable', { ...STATUS, status: 503 }],
  ['503 with Retry-After: 1 hour', { ...STATUS, status: 503, retryAfter: HOUR }],
  ['500, or another 5xx', STATUS],
  ['5xx whose body says “not found”', { ...STATUS, saysNotFound: true }],
  ['429 Too Many Requests', { ...STATUS, status: 429 }],
  ['no response: timeout', { ...NO_RESPONSE, code: 'timeout' }],
  ['no response: DNS, connection or TLS failure', NO_RESPONSE],
  ['404 Not Found, or 410 Gone', 'unavailable'],
  ['401 Unauthorized, or 403 Forbidden', 'unavailable'],
  ['more redirects than are followed', 'unavailable'],
]);

/** Responses before the outage, by names for people. */
export const BEFORES: ReadonlyMap<string, OutageScenario['before']> = new Map<
  string,
  OutageScenario['before']
>([
  ['a file that is no longer fresh', { kind: 'successful', freshFor: 0 }],
  ['a file that is fresh for 6 hours', { kind: 'successful', freshFor: 6 * HOUR }],
  ['a file that is fresh for a day', { kind: 'successful', freshFor: DAY }],
  ['no robots.txt (404)', { kind: 'unavailable', freshFor: 0 }],
  ['no response: it was never fetched', null],
]);

/** The longest outage, in days. */
export const MAX_DAYS = 400;

/** The initial values of the form. */
export const FIRST: ScenarioForm = {
  result: '503 Service Unavailable',
  count: 40,
  unit: 'days',
  before: 'a file that is no longer fresh',
  isSiteReachable: true,
};

/** Converts the form to a scenario, without its profile. */
export function toScenario(form: ScenarioForm): Omit<OutageScenario, 'profile'> {
  const { result, count, unit, before, isSiteReachable } = form;
  const duration = (Number.isFinite(count) ? Math.max(0, count) : 0) * (unit === 'days' ? DAY : HOUR);
  const lasts = Math.min(duration, MAX_DAYS * DAY);
  return {
    result: RESULTS.get(result) ?? STATUS,
    before: BEFORES.get(before) ?? null,
    lasts,
    isSiteReachable,
    // Long enough to show the policy after the outage: a 404 applies for a day.
    until: Math.max(lasts * 1.15, lasts + 30 * HOUR),
  };
}
