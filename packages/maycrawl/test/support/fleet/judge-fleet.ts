// Judges what the fleet did by what the sites recorded. It shares no code with the client: rules are evaluated by the naive oracle.
import { oracleDecide } from '../../../../core/test/oracle/oracle.ts';
import { explainRefetch, type Fault, type StoreFailures } from './faults.ts';
import type { PageEvent, SiteEvent, SiteLog, Visits } from './fleet-log.ts';
import { AGENT, getFile } from './sites.mjs';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
/** The shortest documented pauses after a failure (60 s, and 30 s after a 503), without their jitter of a fifth. */
const [PAUSE, SHORT_PAUSE] = [48 * SECOND, 24 * SECOND];
/** How far the clocks of two measurements can be apart: the request and the response of one fetch. Milliseconds. */
const TOLERANCE = SECOND;
/** A decision can be this much older than the request of the page or the line that follows from it. Milliseconds. */
const DELAY = 5 * SECOND;

const verdicts = new Map<string, boolean>();

/** Whether a file allows a path. */
function isAllowedByFile(template: string, path: string): boolean {
  const key = `${template} ${path}`;
  let isAllowed = verdicts.get(key);
  if (isAllowed === undefined) {
    const content = new TextEncoder().encode(getFile(template));
    const url = `http://127.1.0.1${path}`;
    isAllowed = oracleDecide({ content, preferences: [[AGENT]], areBare: true, url }).allowed;
    verdicts.set(key, isAllowed);
  }
  return isAllowed;
}

/** For how long a response is fresh; 0 if it was a failure. Milliseconds. */
function getLifetime(outcome: string): number {
  const [kind, , seconds] = outcome.split(':');
  if (kind === 'ok') return seconds === '' ? DAY : Number(seconds) * SECOND;
  return kind === '404' || kind === 'loop' ? DAY : 0;
}

/** The shortest time until the next request. Milliseconds. */
function getPeriod(outcome: string): number {
  const [kind, seconds] = outcome.split(':');
  if (kind === '503') return SHORT_PAUSE;
  if (kind === '429') return Number(seconds) * SECOND;
  return getLifetime(outcome) || PAUSE;
}

function isAllowed(outcome: string, path: string): boolean {
  const [kind, template = ''] = outcome.split(':');
  return kind === 'ok' ? isAllowedByFile(template, path) : kind === '404' || kind === 'loop';
}

/** The responses by which a part of the fleet may decide at a time. */
function findResponses({ responses }: Visits, time: number): SiteEvent[] {
  const isSuperseded = (each: SiteEvent): boolean =>
    responses.some(
      (other) => other.requester === each.requester && other.time > each.time && other.time <= time - DELAY,
    );
  return responses.filter(
    (each) =>
      each.time <= time + TOLERANCE &&
      each.time + getLifetime(each.outcome) + DELAY >= time &&
      !isSuperseded(each),
  );
}

/** Whether a response that the site sent and that was still fresh allows (or disallows) the path. */
export function isJustified(log: SiteLog, event: PageEvent, verdict: boolean): boolean {
  return findResponses(log.getVisits(event.group, event.site), event.time).some(
    ({ outcome }) => isAllowed(outcome, event.path) === verdict,
  );
}

/** The response to a request; `undefined` without one. */
function findResponse({ responses }: Visits, request: SiteEvent, next: SiteEvent): SiteEvent | undefined {
  return responses.find(
    ({ requester, time }) => requester === request.requester && time >= request.time && time <= next.time,
  );
}

/**
 * The result of one request: that of its response. It is a failure without a response, and if the part of the fleet decided before the next
 * request that the file is unreachable: then a good response came too late for the process that fetched.
 */
function getOutcome(visits: Visits, response: SiteEvent | undefined, next: SiteEvent): string {
  if (response === undefined) return 'failed';
  const wasLate = visits.unreachable.some((time) => time >= response.time - TOLERANCE && time < next.time);
  return wasLate && getLifetime(response.outcome) > 0 ? 'failed' : response.outcome;
}

export interface Refetches {
  /** Requests for robots.txt. */
  requests: number;
  /** Pairs of a group and a site. */
  readonly origins: number;
  /** Requests after the period of the former response, or after the pause that follows a failure. */
  due: number;
  /** Requests before that, by the reason. */
  readonly early: Record<string, number>;
  /** Those that no fault explains. */
  readonly unexplained: string[];
}

/** Finds requests for robots.txt that came before their time. */
export function judgeRefetches(
  log: SiteLog,
  faults: readonly Fault[],
  storeFailures: StoreFailures,
): Refetches {
  const result: Refetches = { requests: 0, origins: 0, due: 0, early: {}, unexplained: [] };
  let origins = 0;
  for (const [key, visits] of log.all) {
    const [group = ''] = key.split(' ');
    if (visits.requests.length > 0) origins++;
    result.requests += visits.requests.length;
    for (const [index, request] of visits.requests.entries()) {
      const next = visits.requests[index + 1];
      if (next === undefined) continue;
      const response = findResponse(visits, request, next);
      const outcome = getOutcome(visits, response, next);
      const gap = next.time - request.time;
      if (gap >= getPeriod(outcome) - TOLERANCE) {
        result.due++;
        continue;
      }
      const fetches = {
        first: { ...request, endedAt: response?.time ?? request.time },
        second: { ...next, endedAt: next.time },
      };
      const reason = explainRefetch({ group, ...fetches }, faults, storeFailures);
      if (reason === undefined)
        result.unexplained.push(
          `${key}: ${next.requester} ${gap} ms after ${request.requester} (${outcome}) at ${request.time}`,
        );
      else result.early[reason] = (result.early[reason] ?? 0) + 1;
    }
  }
  return { ...result, origins };
}

/** How long it took until another process fetched what a killed one was fetching, for each such site. Milliseconds. */
export function getTakeovers(log: SiteLog, group: string, fault: Fault, count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const { requests } = log.getVisits(group, (fault.handedOver ?? 0) + index);
    const next = requests.find(({ time, requester }) => time > fault.at && requester !== fault.victim);
    return next === undefined ? undefined : next.time - fault.at;
  })
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b);
}
