// What a reading of an access log means for the owner of the site, as events of the monitor.
import { truncate } from '@maycrawl/core/internal';
import type { Aspect } from '../../api/watch/aspects.ts';
import type { CrawlerSummary, LogSummary } from '../../logs/summary/log-summary.ts';
import { formatCount } from '../../text/counts.ts';
import { formatCrawlers } from '../../text/crawler-names.ts';
import type { Impact } from '../analysis/impact/impact-types.ts';
import { createSingleImpact, type ImpactParts, limitImpacts } from '../analysis/impact/single-impact.ts';
import type { SiteSettings } from '../site.ts';
import type { LogChanges, Rise, StaleCrawler } from './find-changes.ts';

/** What events about a log need. */
export interface ImpactContext {
  readonly site: SiteSettings;
  /** The path of the log. */
  readonly path: string;
}

/** Crawlers of a text. */
const MAX_NAMED = 50;
/** URLs of a text, and characters of each. */
const [MAX_URLS, MAX_CHARS] = [5, 300] as const;
/** Characters of the name of a crawler, which a log can have in any length, and of a rule. */
const [MAX_NAME, MAX_RULE] = [100, 200] as const;

/** Returns the events of a reading, the worst first. */
export function getChangeImpacts(changes: LogChanges, summary: LogSummary, context: ImpactContext): Impact[] {
  const { isFirst, newCrawlers, violating, stale, rises } = changes;
  const impacts = [
    ...violating.map((each) => getViolationImpact(each, isFirst, context)),
    ...rises.map((each) => getRiseImpact(each, context)),
    ...(isFirst ? [getFirstImpact(summary, context)] : []),
    ...(newCrawlers.length === 0 ? [] : [getNewImpact(newCrawlers, context)]),
    ...stale.map((each) => getStaleImpact(each, context)),
  ];
  return limitImpacts(impacts, (rest, { kind, severity }) =>
    createImpact(kind, context, {
      title: `${formatCount(rest.length, 'further change')} in the access log`,
      lines: rest.slice(0, MAX_NAMED).map(({ title }) => title),
      details: {},
      severity,
    }),
  );
}

/** Returns the event of a reading that failed, or is incomplete. @param failure - why, in a sentence without its first capital. */
export function getFailureImpact(failure: string, context: ImpactContext): Impact {
  return createImpact('log-incomplete', context, {
    title: `the access log ${context.path}: ${failure}`,
    lines: [
      'To do: check that the file is there, and that the user of the monitor may read it and its folder.',
    ],
    details: { failure },
  });
}

/** Returns the event of the first complete reading after one that was not. */
export function getRecoveryImpact(context: ImpactContext): Impact {
  return createImpact('log-complete', context, {
    title: `the access log ${context.path} is read completely again`,
    lines: [],
    details: {},
  });
}

function getFirstImpact({ crawlers, lines }: LogSummary, context: ImpactContext): Impact {
  return createImpact('log-first', context, {
    title: `the access log ${context.path} is read from now on: ${formatCount(lines.crawlers)} of ${formatCount(lines.read, 'request')} are of ${formatCount(crawlers.length, 'crawler')}`,
    lines: listCrawlers(crawlers),
    details: { requests: lines.crawlers, crawlers: toDetails(crawlers) },
  });
}

function getNewImpact(crawlers: readonly CrawlerSummary[], context: ImpactContext): Impact {
  const list = formatCrawlers(crawlers.map(({ crawler }) => formatName(crawler)));
  const what = crawlers.length === 1 ? 'a new crawler' : formatCount(crawlers.length, 'new crawler');
  return createImpact('crawler-new', context, {
    title: `${what} in the access log: ${list}`,
    lines: listCrawlers(crawlers),
    details: { crawlers: toDetails(crawlers) },
  });
}

function getViolationImpact(
  { crawler, verified }: LogChanges['violating'][number],
  isFirst: boolean,
  context: ImpactContext,
): Impact {
  const { classes, worstRule, violations } = crawler;
  const verb = isFirst ? 'violates' : 'begins to violate';
  const rule =
    worstRule === null
      ? ''
      : ` that ${worstRule.rule === null ? 'version' : `line ${worstRule.line} of version`} ${worstRule.version} disallows${worstRule.rule === null ? '' : ` (${truncate(worstRule.rule, MAX_RULE)})`}`;
  const identity =
    verified > 0
      ? `${formatCount(verified, 'request')} of ${formatCount(classes.violation)}: verified by the addresses of its operator.`
      : 'The crawler is not verified: any client can send its name.';
  return createImpact('crawler-violates', context, {
    title: `${formatName(crawler.crawler)} ${verb} the robots.txt: ${formatCount(classes.violation, 'request')} for URLs${rule}`,
    lines: [
      identity,
      ...violations.slice(0, MAX_URLS).map(({ time, url }) => `${time} ${truncate(url, MAX_CHARS)}`),
    ],
    details: {
      ...{ crawlers: toDetails([crawler]), verified },
      examples: violations
        .slice(0, MAX_URLS)
        .map((each) => ({ ...each, url: truncate(each.url, MAX_CHARS) })),
    },
    ...(verified > 0 && { severity: 'error' }),
  });
}

function getRiseImpact({ crawler, requests, before }: Rise, context: ImpactContext): Impact {
  const times = before === 0 ? '' : `, ${formatCount(Math.floor(requests / before))} times as many`;
  return createImpact('crawler-rise', context, {
    title: `the requests of ${formatName(crawler.crawler)} have risen: ${formatCount(requests)} since the last reading${times}; at most ${formatCount(before)} before in such a time`,
    lines: [],
    details: { crawlers: toDetails([crawler]), before },
  });
}

function getStaleImpact({ crawler, lastFetch }: StaleCrawler, context: ImpactContext): Impact {
  const time = new Date(lastFetch).toISOString().replace('.000Z', 'Z');
  return createImpact('crawler-without-robots', context, {
    title: `${formatName(crawler.crawler)} no longer fetches the robots.txt: its last fetch was at ${time}`,
    lines: [
      `${formatCount(crawler.requests, 'request')} since the last reading. Its copy may be older than your last edit.`,
    ],
    details: { crawlers: toDetails([crawler]), lastFetch: time },
  });
}

function createImpact(kind: Aspect, { site, path }: ImpactContext, parts: ImpactParts): Impact {
  return createSingleImpact(kind, site, {
    ...parts,
    lines: [...parts.lines, `log: ${path}`],
    details: { log: { path, ...parts.details } },
  });
}

function listCrawlers(crawlers: readonly CrawlerSummary[]): string[] {
  return crawlers.slice(0, MAX_NAMED).map(({ crawler, operator, requests, classes, identity }) => {
    const from = operator === null ? '' : ` (${operator})`;
    const violations = classes.violation === 0 ? '' : `, ${formatCount(classes.violation, 'violation')}`;
    const spoofed = identity.spoofed === 0 ? '' : `, ${formatCount(identity.spoofed)} of them spoofed`;
    return `${formatName(crawler)}${from}: ${formatCount(requests, 'request')}${spoofed}${violations}`;
  });
}

function toDetails(crawlers: readonly CrawlerSummary[]): object[] {
  return crawlers.slice(0, MAX_NAMED).map(({ crawler, operator, requests, identity, classes }) => ({
    ...{ crawler: formatName(crawler), operator, requests, identity, classes },
  }));
}

function formatName(crawler: string): string {
  return truncate(crawler, MAX_NAME);
}
