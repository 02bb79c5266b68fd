// Judges the requests of one scenario by RFC 9309 and by Google's documentation.
import type { Requirement, ScenarioReport } from '../api/conformance-report.ts';
import type { RequestLog } from './request-log.ts';
import { AUTHORITIES, type Authority, type Scenario } from './scenario.ts';

/** The result by one document. */
type Judgement = ScenarioReport[Authority];
export type Outcome = Judgement['outcome'];

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
