// The report of the referee for people.
import type { ScenarioReport } from '../api/conformance-report.ts';
import { formatCount } from '../text/counts.ts';
import { visible } from '../text/printable.ts';
import type { Outcome } from './judge.ts';
import { AUTHORITIES, type Authority } from './scenario.ts';

const NAMES: Readonly<Record<Authority, string>> = { rfc9309: 'RFC 9309', google: 'Google' };
const OUTCOMES: readonly Outcome[] = ['passed', 'over-cautious', 'failed', 'not-visited'];

/** Pages that are named of one scenario, and names of crawlers. */
const MAX_PAGES = 6;
const MAX_NAMES = 5;

/** Formats the report as text. */
export function formatReport(reports: readonly ScenarioReport[]): string {
  const userAgents = [...new Set(reports.flatMap((report) => report.userAgents))]
    .slice(0, MAX_NAMES)
    .map(visible);
  const totals = AUTHORITIES.map(
    (authority) => `${NAMES[authority]}: ${formatOutcomes(reports, authority)}\n`,
  );
  return `${reports.map(formatScenario).join('')}
User-Agent: ${userAgents.join(' | ') || 'none'}
${totals.join('')}`;
}

/** The number of scenarios by outcome. */
function formatOutcomes(reports: readonly ScenarioReport[], authority: Authority): string {
  return OUTCOMES.map((outcome) => ({ outcome, count: countOutcome(reports, authority, outcome) }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${outcome}`)
    .join(', ');
}

/** Counts the scenarios with an outcome. */
export function countOutcome(
  reports: readonly ScenarioReport[],
  authority: Authority,
  outcome: Outcome,
): number {
  return reports.filter((report) => report[authority].outcome === outcome).length;
}

function formatScenario(report: ScenarioReport): string {
  const { id, title, robotsRequests, pageRequests, beforeRobots, earlyRequests, conditionalRequests } =
    report;
  const [rfc, google] = AUTHORITIES.map((authority) => report[authority].outcome);
  const isEqual = rfc === google && equal(report.rfc9309.forbidden, report.google.forbidden);
  const head = isEqual ? rfc : `${rfc} (RFC 9309), ${google} (Google)`;
  const lines = [`${head}: ${id}, ${title}`];
  if (rfc === 'not-visited') return `${lines[0]}\n`;
  const conditional = conditionalRequests === 0 ? '' : `, ${conditionalRequests} of them with a validator`;
  lines.push(
    `${formatCount(robotsRequests, 'request')} for robots.txt${conditional}; ${formatCount(pageRequests, 'request')} for pages`,
  );
  if (beforeRobots.length > 0) lines.push(`before robots.txt: ${formatPages(beforeRobots)}`);
  if (earlyRequests > 0)
    lines.push(`${formatCount(earlyRequests, 'request')} before the time of Retry-After`);
  for (const authority of isEqual ? (['rfc9309'] as const) : AUTHORITIES) {
    const { forbidden, missed, requirement } = report[authority];
    if (forbidden.length > 0) lines.push(`forbidden by ${requirement.source}: ${formatPages(forbidden)}`);
    if (missed.length > 0)
      lines.push(`allowed by ${requirement.source}, not requested: ${formatPages(missed)}`);
  }
  return `${lines.join('\n  ')}\n`;
}

const equal = (one: readonly string[], other: readonly string[]): boolean =>
  one.join(' ') === other.join(' ');

function formatPages(pages: readonly string[]): string {
  const rest = pages.length - MAX_PAGES;
  return `${pages.slice(0, MAX_PAGES).join(' ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
