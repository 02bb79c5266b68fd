/**
 * `maycrawl audit`: its commands and their options. The module of each is loaded only when it is called.
 *
 * @module
 */
import { RENDER_DEFAULTS } from '../../../audit/render/render-options.ts';
import { formatDuration } from '../../input/duration.ts';
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { ALLOW_PRIVATE, PROFILE, USER_AGENT } from '../../options/fetch-options.ts';
import { count, duration, flag, list, type OptionDescription, text } from '../../options/option.ts';
import type { AuditCommandOptions } from './audit.ts';
import type { AuditCompareOptions } from './compare.ts';
import { CRAWL_OPTIONS } from './crawl-options.ts';
import type { AuditFindingsOptions } from './findings.ts';
import type { AuditLinksOptions } from './links.ts';
import type { AuditReplayOptions } from './replay.ts';
import type { AuditReportOptions } from './report.ts';
import type { AuditTrendOptions } from './trend.ts';

const ANY = Number.POSITIVE_INFINITY;

const RUN: readonly [string, string] = ['<run>', 'the file of the run, or its folder'];
const FAIL_ON: OptionDescription<string> = text(
  '<reasons>',
  'exit 1 if a URL has one of these reasons, such as noindex,error,sitemap (docs/audit.md)',
);
const XLSX = text('<file>', 'write a workbook of Excel with summary, segments, findings and URLs');
const JUNIT: OptionDescription<string> = text('<file>', 'JUnit report of --fail-on');
const JSON_LINES: OptionDescription<boolean> = flag(
  'print one JSON object a line, with a summary at the end',
);

const SEGMENT: OptionDescription<readonly string[]> = list(
  text('<name=pattern>', 'count these paths as a segment in reports (default: the largest folders)'),
);

/** The commands. */
export const AUDIT_COMMANDS: readonly AnyCommand[] = [
  defineCommand<AuditCommandOptions>({
    name: 'audit',
    description: 'crawl a site, and report which pages can be crawled and indexed, and why others cannot',
    arguments: [['[url...]', 'where to start']],
    options: {
      agent: CRAWL_OPTIONS.agent,
      profile: PROFILE,
      scope: CRAWL_OPTIONS.scope,
      maxPages: CRAWL_OPTIONS.maxPages,
      maxDepth: CRAWL_OPTIONS.maxDepth,
      maxAlike: count(
        '<count>',
        [0, ANY],
        'maximum number of URLs of one shape, as in calendars; 0: unlimited',
        {
          default: '2000',
        },
      ),
      concurrency: CRAWL_OPTIONS.concurrency,
      delay: CRAWL_OPTIONS.delay,
      crawlDelay: CRAWL_OPTIONS.crawlDelay,
      missingPages: flag('do not request a URL that does not exist from each site', { default: 'true' }),
      sitemaps: flag('ignore the sitemaps in robots.txt', { default: 'true' }),
      urls: text('<file|url>', 'further URLs to start from: one a line, or a sitemap'),
      robots: text('<file>', 'a robots.txt that replaces that of the site'),
      include: CRAWL_OPTIONS.include,
      exclude: CRAWL_OPTIONS.exclude,
      segment: SEGMENT,
      header: list(text('<line>', 'a header of requests to the origins of the URLs, "Name: value"')),
      userAgent: USER_AGENT,
      timeout: duration('<time>', ['1ms', '1h'], 'maximum time for one page', { default: '30s' }),
      allowPrivate: ALLOW_PRIVATE,
      render: flag('render pages in Chromium, and report what their scripts change (docs/audit.md)'),
      renderLimit: count(
        '<count>',
        [0, ANY],
        'maximum number of rendered pages, from all folders of the site; 0: unlimited',
        { default: String(RENDER_DEFAULTS.limit) },
      ),
      renderTimeout: duration('<time>', ['1s', '10m'], 'maximum time for rendering one page', {
        default: formatDuration(RENDER_DEFAULTS.timeout),
      }),
      renderWithoutSandbox: flag('run Chromium without its sandbox, as root and some containers need it'),
      chromium: text('<path>', 'path of Chromium or Chrome (default: searched in PATH)'),
      out: text('<folder>', 'folder for the reports, and for the run without --database'),
      database: text('<path>', 'SQLite file of the run'),
      resume: flag('continue the run in --database or --out'),
      xlsx: XLSX,
      failOn: FAIL_ON,
      junit: JUNIT,
      outside: flag('CSV, NDJSON, XLSX and --json: also list URLs outside the scope; they have no verdict'),
      json: flag('print the evidence about each URL as one JSON object a line'),
    },
    configuration: {
      section: 'audit',
      names: [
        ...(['agent', 'profile', 'scope', 'maxPages', 'maxDepth', 'maxAlike', 'concurrency'] as const),
        ...([
          'delay',
          'crawlDelay',
          'missingPages',
          'sitemaps',
          'urls',
          'robots',
          'include',
          'exclude',
          'segment',
          'header',
        ] as const),
        ...(['userAgent', 'timeout', 'allowPrivate', 'out', 'database', 'xlsx', 'failOn', 'junit'] as const),
        ...([
          'render',
          'renderLimit',
          'renderTimeout',
          'renderWithoutSandbox',
          'chromium',
          'outside',
        ] as const),
      ],
    },
    run: async (options, urls) => (await import('./audit.ts')).auditCommand(urls, options),
  }),
  defineCommand<AuditReportOptions>({
    name: 'audit report',
    description: 'write reports about a run; exit 1: a URL has a reason of --fail-on',
    arguments: [RUN],
    options: {
      out: text('<folder|file.html>', 'path of the HTML report (default: beside the run)'),
      csv: text('<file>', 'write a CSV file with a line for each URL and crawler'),
      ndjson: text(
        '<file>',
        'write a file with the evidence about each URL and crawler as one JSON object a line',
      ),
      xlsx: XLSX,
      segment: SEGMENT,
      failOn: FAIL_ON,
      junit: JUNIT,
      outside: flag('CSV, NDJSON and XLSX: also list URLs outside the scope; they have no verdict'),
      json: flag('print JSON'),
    },
    run: async (options, [path = '']) => (await import('./report.ts')).auditReport(path, options),
  }),
  defineCommand<AuditFindingsOptions>({
    name: 'audit findings',
    description: 'list what is wrong with the URLs of a run, the most urgent first (docs/findings.md)',
    arguments: [RUN],
    options: {
      code: list(text('<code>', 'list all findings of this kind, and when a URL has it')),
      json: JSON_LINES,
    },
    run: async (options, [path = '']) => (await import('./findings.ts')).auditFindings(path, options),
  }),
  defineCommand<AuditLinksOptions>({
    name: 'audit links',
    description: 'list the links of a run, with their texts and the crawlers that follow them',
    arguments: [RUN],
    options: {
      to: text('<url>', 'list only the links to this URL'),
      from: text('<url>', 'list only the links of this page'),
      json: flag('print one JSON object a line'),
      csv: flag('print CSV'),
    },
    run: async (options, [path = '']) => (await import('./links.ts')).auditLinks(path, options),
  }),
  defineCommand<AuditCompareOptions>({
    name: 'audit compare',
    description: 'compare two runs; exit 1: a URL is no longer indexable',
    arguments: [
      ['<before>', 'the file of a run'],
      ['<after>', 'the file of a later one'],
    ],
    options: { json: JSON_LINES },
    run: async (options, [before = '', after = '']) =>
      (await import('./compare.ts')).auditCompare(before, after, options),
  }),
  defineCommand<AuditTrendOptions>({
    name: 'audit trend',
    description: 'list the runs in a folder with the numbers of indexable URLs and errors, the oldest first',
    arguments: [['<folder>', 'a folder of audits, each in a folder of its own']],
    options: {
      site: text('<url>', 'only audits that began at this URL'),
      json: flag('print one JSON object a line for each run'),
    },
    run: async (options, [folder = '']) => (await import('./trend.ts')).auditTrend(folder, options),
  }),
  defineCommand<AuditReplayOptions>({
    name: 'audit replay',
    description:
      'find what another robots.txt would change in a run, without requests; exit 1: pages would be lost',
    arguments: [RUN],
    options: {
      robots: text('<file>', 'the other robots.txt', { isRequired: true }),
      agent: list(text('<name>', 'a crawler (default: those of the run)')),
      json: JSON_LINES,
    },
    run: async (options, [path = '']) => (await import('./replay.ts')).auditReplay(path, options),
  }),
];
