// The findings of a log: what an owner should look at first.
import type { Severity } from '@maycrawl/core';
import { SEVERITIES } from '../../reports/severities.ts';
import { formatCount } from '../../text/counts.ts';
import { formatDay } from '../../text/days.ts';
import { formatSpan } from '../../text/durations.ts';
import type { Timeline } from '../rules/timeline.ts';
import type { BrokenRule, CrawlerTally } from './crawler-tally.ts';
import type { LogFinding } from './log-summary.ts';

/** Kinds of findings, and what `--fail-on` and documentation say of them. */
export const LOG_FINDINGS = {
  violation: 'requests for URLs that all versions forbid that the crawler may have read',
  spoofed: 'requests with the name of a crawler that are not of it',
  'robots-txt-failed': 'fetches of robots.txt that failed',
  'not-fetched-since-edit': 'the crawler has not fetched robots.txt since it changed',
  'too-fast': 'requests that follow each other faster than the crawl-delay',
  'no-addresses': 'the log has no addresses, so no crawler is verified',
} as const;

/** The code of a finding. */
export type LogFindingCode = keyof typeof LOG_FINDINGS;

/** In milliseconds. */
const [MINUTE, DAY] = [60_000, 86_400_000] as const;
/** Rules of a crawler with a finding of their own. */
const MAX_RULES = 10;

/** What findings are about. */
export interface JudgedLog {
  readonly tallies: readonly CrawlerTally[];
  readonly timelines: readonly Timeline[];
  readonly hasAddresses: boolean;
  /** The requests of all crawlers. */
  readonly requests: number;
  /** The times of the first and the last line in milliseconds since 1970; `null` without lines. */
  readonly from: number | null;
  readonly to: number | null;
}

/** Finds problems: those with the highest severity first, then those with the most requests. */
export function findProblems(log: JudgedLog): LogFinding[] {
  const findings = log.tallies.flatMap((tally) => [
    ...findViolations(tally),
    ...findSpoofed(tally),
    ...findFailures(tally, log.to ?? 0),
    ...findUnreadEdit(tally, log),
    ...findPace(tally),
  ]);
  if (!log.hasAddresses && log.requests > 0)
    findings.unshift(
      createFinding(
        'no-addresses',
        'warning',
        null,
        log.requests,
        'The log has no addresses: no crawler is verified, and any visitor may have sent these requests.',
      ),
    );
  const rank = ({ code, severity }: LogFinding): number =>
    code === 'no-addresses' ? -1 : SEVERITIES.indexOf(severity);
  return findings.sort((a, b) => rank(a) - rank(b) || b.requests - a.requests);
}

function createFinding(
  code: LogFindingCode,
  severity: Severity,
  crawler: string | null,
  requests: number,
  text: string,
): LogFinding {
  return { code, severity, crawler, requests, text };
}

/** Names that the catalogue does not know, such as those of libraries, are information: the operator is unknown. */
function* findViolations({
  crawler: { name, operator },
  brokenRules,
  identity,
}: CrawlerTally): Generator<LogFinding> {
  const rules = [...brokenRules.values()].sort((a, b) => b.requests - a.requests);
  for (const rule of rules.slice(0, MAX_RULES)) {
    const { requests, line, byRead } = rule;
    const reason = line === 0 ? 'that no rule allows' : `that line ${line} disallows`;
    const isProved = byRead.yes > 0 && identity.verified > 0;
    const text = `${formatCount(requests, 'request')} as ${name} for URLs ${reason}${describeReading(rule)}`;
    const severity = isProved ? 'error' : operator === null ? 'info' : 'warning';
    yield createFinding('violation', severity, name, requests, text);
  }
}

/** Describes what the crawler had read, by the requests with the strongest evidence. */
function describeReading({ byRead, sinceRead, version, versionFrom }: BrokenRule): string {
  const name = Number.isFinite(versionFrom) ? `version ${version}` : 'the file';
  if (byRead.yes > 0) {
    const isLater = sinceRead !== null && sinceRead >= MINUTE;
    return `, ${isLater ? formatSpan(sinceRead) : 'immediately'} after it fetched ${name}`;
  }
  const where = Number.isFinite(versionFrom) ? ` (${name})` : '';
  if (byRead.never > 0) return `${where}; it had not fetched robots.txt`;
  return `${where}; the log does not show whether it had fetched robots.txt`;
}

function* findSpoofed(tally: CrawlerTally): Generator<LogFinding> {
  const {
    crawler: { name, operator },
    identity: { spoofed },
    spoofedNetworks,
  } = tally;
  if (spoofed === 0) return;
  const networks = spoofedNetworks === 0 ? '' : ` from ${formatCount(spoofedNetworks, 'network')}`;
  const text = `${formatCount(spoofed, 'request')} as ${name}${networks} ${spoofed === 1 ? 'is' : 'are'} not of ${operator ?? name}`;
  yield createFinding('spoofed', 'warning', name, spoofed, text);
}

function* findFailures(
  { crawler: { name }, failedFetches }: CrawlerTally,
  to: number,
): Generator<LogFinding> {
  for (const [key, requests] of failedFetches.list().slice(0, MAX_RULES)) {
    const [day = '', status = ''] = key.split(' ');
    const times = requests === 1 ? 'once' : `${formatCount(requests)} times`;
    const text = `${name} got ${status === 'none' ? 'no response' : status} for robots.txt ${times} on ${formatDay(Number(day) * DAY, to)}`;
    yield createFinding('robots-txt-failed', 'warning', name, requests, text);
  }
}

/** A crawler that came after the time for which it caches a file, and has not fetched the newest version in a log that begins before it. */
function* findUnreadEdit(
  { crawler, lastFetch, classes, lastRequest }: CrawlerTally,
  { timelines, from }: JudgedLog,
): Generator<LogFinding> {
  const edits = timelines.map(({ versions }) => versions.at(-1)?.from ?? Number.NEGATIVE_INFINITY);
  const edit = Math.max(...edits);
  if (from === null || from > edit) return;
  if (!Number.isFinite(edit) || crawler.operator === null || crawler.obeys === 'no' || lastRequest === null)
    return;
  if (lastRequest < edit + crawler.cachePeriod || (lastFetch ?? Number.NEGATIVE_INFINITY) >= edit) return;
  const requests = classes.grace + classes.violation + classes.allowed;
  const text = `${crawler.name} has not fetched robots.txt since the edit of ${formatDay(edit, lastRequest)}`;
  yield createFinding('not-fetched-since-edit', 'info', crawler.name, requests, text);
}

function* findPace(tally: CrawlerTally): Generator<LogFinding> {
  const pace = tally.getPace();
  if (pace === null || pace.percentile5 >= pace.crawlDelay) return;
  const { name } = tally.crawler;
  const text = `${name} does not keep the crawl-delay of ${pace.crawlDelay} s: 5 % of its requests follow the one before within ${pace.percentile5.toFixed(1)} s`;
  yield createFinding('too-fast', 'warning', name, tally.requests, text);
}
