// Judges the requests of one scenario by RFC 9309 and by Google's documentation.
import type { RequestLog } from './request-log.ts';
import { AUTHORITIES, type Authority, type Requirement, type Scenario } from './scenario.ts';

/**
 * The result by one authority. `failed`: pages were requested that must not be. `over-cautious`: pages were not requested that may be,
 * which no document forbids. `not-visited`: there was no request, so that there is no result.
 */
export type Outcome = 'passed' | 'over-cautious' | 'failed' | 'not-visited';

interface Judgement {
  readonly outcome: Outcome;
  /** What the authority requires after the last response to robots.txt, and where. */
  readonly requirement: Requirement;
  /** Pages that were requested and must not be, at the time of the request. */
  readonly forbidden: readonly string[];
  /** Pages that may be requested and were not. */
  readonly missed: readonly string[];
}

/** The report about one scenario. */
export interface ScenarioReport extends Readonly<Record<Authority, Judgement>> {
  readonly id: string;
  readonly title: string;
  /** The URL of its start page. */
  readonly url: string;
  readonly userAgents: readonly string[];
  readonly robotsRequests: number;
  readonly conditionalRequests: number;
  /** Requests for pages; the start page does not count. */
  readonly pageRequests: number;
  readonly otherRequests: number;
  /** Pages that were requested before robots.txt. */
  readonly beforeRobots: readonly string[];
  /** Requests before the time of a `Retry-After` header. */
  readonly earlyRequests: number;
  /** Whether one response was used for several pages; `null` if there were fewer than two. */
  readonly cached: boolean | null;
}

/** @param url - the URL of the start page. */
export function judgeScenario(scenario: Scenario, log: RequestLog, url: string): ScenarioReport {
  const requested = [...log.pages].filter(([, { count }]) => count > 0);
  const pageRequests = requested.reduce((sum, [, { count }]) => sum + count, 0);
  const judgements = AUTHORITIES.map((authority) => [authority, judge(scenario, log, authority)] as const);
  return {
    id: scenario.id,
    title: scenario.title,
    url,
    userAgents: [...log.userAgents],
    robotsRequests: log.robotsRequests,
    conditionalRequests: log.conditionalRequests,
    pageRequests,
    otherRequests: log.otherRequests,
    beforeRobots: requested.filter(([, { phases }]) => phases.has(-1)).map(([page]) => page),
    earlyRequests: log.earlyRequests,
    cached: pageRequests < 2 ? null : log.robotsRequests < pageRequests,
    ...(Object.fromEntries(judgements) as Record<Authority, Judgement>),
  };
}

function judge({ phases, pages }: Scenario, log: RequestLog, authority: Authority): Judgement {
  // A page that is requested before robots.txt is judged by the first response.
  const getRequirement = (phase: number): Requirement => (phases[Math.max(phase, 0)] ?? phases[0])[authority];
  const isForbidden = (page: string, phase: number): boolean => {
    const { forbidden } = getRequirement(phase);
    return forbidden === 'all' || (forbidden === 'private' && pages.private.includes(page));
  };
  const forbidden: string[] = [];
  const missed: string[] = [];
  for (const [page, requests] of log.pages) {
    if ([...requests.phases].some((phase) => isForbidden(page, phase))) forbidden.push(page);
    if (requests.count === 0 && !isForbidden(page, log.phase)) missed.push(page);
  }
  const isVisited = log.robotsRequests + log.startRequests > 0;
  const outcome = !isVisited
    ? 'not-visited'
    : forbidden.length > 0
      ? 'failed'
      : missed.length > 0
        ? 'over-cautious'
        : 'passed';
  return { outcome, requirement: getRequirement(log.phase), forbidden, missed };
}
