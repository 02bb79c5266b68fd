/**
 * `maycrawl audit`: its commands and their options. The module of each is loaded only when it is called.
 *
 * @module
 */
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { ALLOW_PRIVATE, PROFILE, USER_AGENT } from '../../options/fetch-options.ts';
import { choice, count, duration, flag, list, type OptionDescription, text } from '../../options/option.ts';
import type { AuditCommandOptions } from './audit.ts';
import type { AuditCompareOptions } from './compare.ts';
import type { AuditCopyOptions } from './copy.ts';
import type { AuditReplayOptions } from './replay.ts';
import type { AuditReportOptions } from './report.ts';

const ANY = Number.POSITIVE_INFINITY;
/** The largest number of requests to one host at the same time. */
const MAX_CONCURRENCY = 256;

const RUN: readonly [string, string] = ['<run>', 'the file of the run, or the folder that it is in'];
const FAIL_ON: OptionDescription<string> = text(
  '<reasons>',
  'exit 1 if a URL has one of these, such as noindex,error,sitemap (docs/audit.md)',
);
const JUNIT: OptionDescription<string> = text('<file>', 'what --fail-on found, for continuous integration');
const JSON_LINES: OptionDescription<boolean> = flag('print one JSON object a line, the last a summary');

/** The commands. */
export const AUDIT_COMMANDS: readonly AnyCommand[] = [
  defineCommand<AuditCommandOptions>({
    name: 'audit',
    description: 'crawl a site, and report what of it can be crawled and indexed, and why not',
    arguments: [['[url...]', 'where to begin']],
    options: {
      agent: list(text('<name>', 'a crawler for which it is judged', { default: 'Googlebot' })),
      profile: PROFILE,
      scope: choice(
        '<name>',
        ['host', 'domain', 'prefix'],
        'what is audited: the host, its domain, or what begins with the URL (host, domain, prefix)',
        { default: 'host' },
      ),
      maxPages: count('<count>', [1, ANY], 'pages to fetch (default: all)'),
      maxDepth: count('<count>', [0, ANY], 'links from the start (default: any number)'),
      maxAlike: count('<count>', [0, ANY], 'URLs of one shape, as calendars have them; 0: any number', {
        default: '2000',
      }),
      concurrency: count('<count>', [1, MAX_CONCURRENCY], 'requests to one host at the same time', {
        default: '8',
      }),
      delay: duration('<time>', ['0s', '1h'], 'time between requests to one host', { default: '0s' }),
      crawlDelay: flag('obey the Crawl-delay of the crawlers, too'),
      sitemaps: flag('do not read the sitemaps that robots.txt names', { default: 'true' }),
      urls: text('<file|url>', 'further URLs to begin with: one a line, or a sitemap'),
      robots: text('<file>', 'a robots.txt in place of that of the site'),
      include: list(text('<pattern>', 'only paths that match, as in a rule')),
      exclude: list(text('<pattern>', 'no paths that match')),
      header: list(text('<line>', 'a header for the hosts of the URLs, "Name: value"')),
      userAgent: USER_AGENT,
      timeout: duration('<time>', ['1ms', '1h'], 'longest time for one page', { default: '30s' }),
      allowPrivate: ALLOW_PRIVATE,
      out: text('<folder>', 'folder for the reports, and for the run without --database'),
      database: text(
        '<path|url>',
        'where the run is stored: a SQLite file, or a postgres:// URL where several workers crawl in it',
      ),
      run: text('<name>', 'name of the run in a postgres:// database (default: the host)'),
      resume: flag('continue the run in --database or --out'),
      failOn: FAIL_ON,
      junit: JUNIT,
      json: flag('print the evidence about each URL in JSON, one a line'),
    },
    configuration: {
      section: 'audit',
      names: [
        ...(['agent', 'profile', 'scope', 'maxPages', 'maxDepth', 'maxAlike', 'concurrency'] as const),
        ...(['delay', 'crawlDelay', 'sitemaps', 'urls', 'robots', 'include', 'exclude', 'header'] as const),
        ...(['userAgent', 'timeout', 'allowPrivate', 'out', 'database', 'run', 'failOn', 'junit'] as const),
      ],
    },
    run: async (options, urls) => (await import('./audit.ts')).auditCommand(urls, options),
  }),
  defineCommand<AuditCopyOptions>({
    name: 'audit copy',
    description: 'copy a run from a postgres:// database into a new SQLite file, and judge it',
    arguments: [['<file>', 'a new SQLite file']],
    options: {
      database: text('<url>', 'postgres://user:password@host:port/database', { isRequired: true }),
      run: text('<name>', 'name of the run in the database', { isRequired: true }),
    },
    configuration: { section: 'audit', names: ['database', 'run'] },
    run: async (options, [file = '']) => (await import('./copy.ts')).auditCopy(file, options),
  }),
  defineCommand<AuditReportOptions>({
    name: 'audit report',
    description: 'what a run found; exit 1: a URL has what --fail-on names',
    arguments: [RUN],
    options: {
      out: text('<folder|file.html>', 'where the HTML report is written (default: beside the run)'),
      csv: text('<file>', 'one line for each URL and crawler, for spreadsheets'),
      ndjson: text('<file>', 'one JSON object a line for each URL and crawler, with all the evidence'),
      failOn: FAIL_ON,
      junit: JUNIT,
      json: flag('print JSON'),
    },
    run: async (options, [path = '']) => (await import('./report.ts')).auditReport(path, options),
  }),
  defineCommand<AuditCompareOptions>({
    name: 'audit compare',
    description: 'what changed from one run to another; exit 1: a URL is not indexable any more',
    arguments: [
      ['<before>', 'the file of a run'],
      ['<after>', 'the file of a later one'],
    ],
    options: { json: JSON_LINES },
    run: async (options, [before = '', after = '']) =>
      (await import('./compare.ts')).auditCompare(before, after, options),
  }),
  defineCommand<AuditReplayOptions>({
    name: 'audit replay',
    description: 'what another robots.txt would change in a run, without a request; exit 1: pages are lost',
    arguments: [RUN],
    options: {
      robots: text('<file>', 'the robots.txt that is tried', { isRequired: true }),
      agent: list(text('<name>', 'a crawler (default: those of the run)')),
      json: JSON_LINES,
    },
    run: async (options, [path = '']) => (await import('./replay.ts')).auditReplay(path, options),
  }),
];
