// The options of the audit commands. The module loads no package, because the command loads it at every start.
import { EXTERNAL_LIMIT } from '../../../audit/crawl/external/external-options.ts';
import { RENDER_DEFAULTS } from '../../../audit/render/render-options.ts';
import { formatDuration } from '../../input/duration.ts';
import { ALLOW_PRIVATE, JSON_OUTPUT, PROFILE, USER_AGENT } from '../../options/fetch-options.ts';
import type { OptionValues } from '../../options/option-record.ts';
import { CRAWL_OPTIONS } from './crawl-options.ts';

const SEGMENT = {
  type: 'text',
  placeholder: '<name=pattern>',
  description: 'count these paths as a segment in reports (default: the largest folders)',
  isList: true,
  sections: ['audit'],
} as const;

const XLSX = {
  type: 'text',
  placeholder: '<file>',
  description: 'write a workbook of Excel with summary, segments, findings and URLs',
  sections: ['audit'],
} as const;

const FAIL_ON = {
  type: 'text',
  placeholder: '<reasons>',
  description: 'exit 1 if a URL has one of these reasons, such as noindex,error,sitemap (docs/audit.md)',
  sections: ['audit'],
} as const;

const JUNIT = {
  type: 'text',
  placeholder: '<file>',
  description: 'JUnit report of --fail-on',
  sections: ['audit'],
} as const;

const JSON_LINES = {
  type: 'flag',
  description: 'print one JSON object a line, with a summary at the end',
} as const;

/** Options of `maycrawl audit`. */
export const AUDIT_OPTIONS = {
  agent: CRAWL_OPTIONS.agent as typeof CRAWL_OPTIONS.agent,
  profile: PROFILE as typeof PROFILE,
  scope: CRAWL_OPTIONS.scope as typeof CRAWL_OPTIONS.scope,
  maxPages: CRAWL_OPTIONS.maxPages as typeof CRAWL_OPTIONS.maxPages,
  maxDepth: CRAWL_OPTIONS.maxDepth as typeof CRAWL_OPTIONS.maxDepth,
  maxAlike: {
    type: 'count',
    placeholder: '<count>',
    range: [0, undefined],
    description: 'maximum number of URLs of one shape, as in calendars; 0: unlimited',
    default: '2000',
    sections: ['audit'],
  },
  concurrency: CRAWL_OPTIONS.concurrency as typeof CRAWL_OPTIONS.concurrency,
  delay: CRAWL_OPTIONS.delay as typeof CRAWL_OPTIONS.delay,
  crawlDelay: CRAWL_OPTIONS.crawlDelay as typeof CRAWL_OPTIONS.crawlDelay,
  missingPages: {
    type: 'flag',
    description: 'do not request a URL that does not exist from each site',
    default: 'true',
    sections: ['audit'],
  },
  hostVariants: {
    type: 'flag',
    description: 'do not request the start with http and https, and with and without www',
    default: 'true',
    sections: ['audit'],
  },
  sitemaps: {
    type: 'flag',
    description: 'ignore the sitemaps in robots.txt',
    default: 'true',
    sections: ['audit'],
  },
  urls: {
    type: 'text',
    placeholder: '<file|url>',
    description: 'further URLs to start from: one a line, or a sitemap',
    sections: ['audit'],
  },
  robots: {
    type: 'text',
    placeholder: '<file>',
    description: 'a robots.txt that replaces that of the site',
    sections: ['audit'],
  },
  include: CRAWL_OPTIONS.include as typeof CRAWL_OPTIONS.include,
  exclude: CRAWL_OPTIONS.exclude as typeof CRAWL_OPTIONS.exclude,
  segment: SEGMENT as typeof SEGMENT,
  header: {
    type: 'text',
    placeholder: '<line>',
    description: 'a header of requests to the origins of the URLs, "Name: value"',
    isList: true,
    sections: ['audit'],
  },
  userAgent: USER_AGENT as typeof USER_AGENT,
  timeout: {
    type: 'duration',
    placeholder: '<time>',
    range: ['1ms', '1h'],
    description: 'maximum time for one page',
    default: '30s',
    sections: ['audit'],
  },
  allowPrivate: ALLOW_PRIVATE as typeof ALLOW_PRIVATE,
  external: {
    type: 'flag',
    description: 'also check links to other sites, and scripts, stylesheets and images (docs/audit.md)',
    sections: ['audit'],
  },
  externalLimit: {
    type: 'count',
    placeholder: '<count>',
    range: [0, undefined],
    description: 'maximum number of URLs that --external checks; 0: unlimited',
    default: String(EXTERNAL_LIMIT) as string,
    sections: ['audit'],
  },
  render: {
    type: 'flag',
    description: 'render pages in Chromium, and report what their scripts change (docs/audit.md)',
    sections: ['audit'],
  },
  renderLimit: {
    type: 'count',
    placeholder: '<count>',
    range: [0, undefined],
    description: 'maximum number of rendered pages, from all folders of the site; 0: unlimited',
    default: String(RENDER_DEFAULTS.limit) as string,
    sections: ['audit'],
  },
  renderTimeout: {
    type: 'duration',
    placeholder: '<time>',
    range: ['1s', '10m'],
    description: 'maximum time for rendering one page',
    default: formatDuration(RENDER_DEFAULTS.timeout) as string,
    sections: ['audit'],
  },
  renderWithoutSandbox: {
    type: 'flag',
    description: 'run Chromium without its sandbox, as root and some containers need it',
    sections: ['audit'],
  },
  chromium: {
    type: 'text',
    placeholder: '<path>',
    description: 'path of Chromium or Chrome (default: searched in PATH)',
    sections: ['audit'],
  },
  out: {
    type: 'text',
    placeholder: '<folder>',
    description: 'folder for the reports, and for the run without --database',
    sections: ['audit'],
  },
  database: {
    type: 'text',
    placeholder: '<path>',
    description: 'SQLite file of the run',
    sections: ['audit'],
  },
  resume: { type: 'flag', description: 'continue the run in --database or --out' },
  xlsx: XLSX as typeof XLSX,
  failOn: FAIL_ON as typeof FAIL_ON,
  junit: JUNIT as typeof JUNIT,
  outside: {
    type: 'flag',
    description: 'CSV, NDJSON, XLSX and --json: also list URLs outside the scope; they have no verdict',
    sections: ['audit'],
  },
  json: { type: 'flag', description: 'print the evidence about each URL as one JSON object a line' },
} as const;
export type AuditCommandOptions = OptionValues<typeof AUDIT_OPTIONS>;

/** Options of `maycrawl audit report`. */
export const REPORT_OPTIONS = {
  out: {
    type: 'text',
    placeholder: '<folder|file.html>',
    description: 'path of the HTML report (default: beside the run)',
  },
  csv: {
    type: 'text',
    placeholder: '<file>',
    description: 'write a CSV file with a line for each URL and crawler',
  },
  ndjson: {
    type: 'text',
    placeholder: '<file>',
    description: 'write a file with the evidence about each URL and crawler as one JSON object a line',
  },
  xlsx: XLSX as typeof XLSX,
  segment: SEGMENT as typeof SEGMENT,
  failOn: FAIL_ON as typeof FAIL_ON,
  junit: JUNIT as typeof JUNIT,
  outside: {
    type: 'flag',
    description: 'CSV, NDJSON and XLSX: also list URLs outside the scope; they have no verdict',
  },
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type AuditReportOptions = OptionValues<typeof REPORT_OPTIONS>;

/** Options of `maycrawl audit findings`. */
export const FINDINGS_OPTIONS = {
  code: {
    type: 'text',
    placeholder: '<code>',
    description: 'list all findings of this kind, and when a URL has it',
    isList: true,
  },
  json: JSON_LINES as typeof JSON_LINES,
} as const;
export type AuditFindingsOptions = OptionValues<typeof FINDINGS_OPTIONS>;

/** Options of `maycrawl audit links`. */
export const LINKS_OPTIONS = {
  to: { type: 'text', placeholder: '<url>', description: 'list only the links to this URL' },
  from: { type: 'text', placeholder: '<url>', description: 'list only the links of this page' },
  toStatus: {
    type: 'text',
    placeholder: '<status>',
    description:
      'list only links to URLs with this status, such as 4xx, 404 or none (no response); also scripts, stylesheets and images',
    isList: true,
  },
  json: { type: 'flag', description: 'print one JSON object a line' },
  csv: { type: 'flag', description: 'print CSV' },
} as const;
export type AuditLinksOptions = OptionValues<typeof LINKS_OPTIONS>;

/** Options of `maycrawl audit compare`. */
export const COMPARE_OPTIONS = { json: JSON_LINES as typeof JSON_LINES } as const;
export type AuditCompareOptions = OptionValues<typeof COMPARE_OPTIONS>;

/** Options of `maycrawl audit trend`. */
export const TREND_OPTIONS = {
  site: { type: 'text', placeholder: '<url>', description: 'only audits that began at this URL' },
  json: { type: 'flag', description: 'print one JSON object a line for each run' },
} as const;
export type AuditTrendOptions = OptionValues<typeof TREND_OPTIONS>;

/** Options of `maycrawl audit replay`. */
export const REPLAY_OPTIONS = {
  robots: { type: 'text', placeholder: '<file>', description: 'the other robots.txt', isRequired: true },
  agent: {
    type: 'text',
    placeholder: '<name>',
    description: 'a crawler (default: those of the run)',
    isList: true,
  },
  json: JSON_LINES as typeof JSON_LINES,
} as const;
export type AuditReplayOptions = OptionValues<typeof REPLAY_OPTIONS>;
