// The options of `maycrawl census`. The module loads no package, because the command loads it at every start.
import { PROFILE, USER_AGENT } from '../../options/fetch-options.ts';
import type { OptionValues } from '../../options/option-record.ts';

/** Options of commands that run queries. */
export const QUERY_LIMITS = {
  memory: {
    type: 'size',
    placeholder: '<size>',
    description: 'memory of the database; what exceeds it is stored in the folder for temporary files',
    default: '2GB',
  },
  threads: {
    type: 'count',
    placeholder: '<count>',
    range: [1, 1024],
    description: 'number of threads (default: the number of processors)',
  },
  timeout: {
    type: 'duration',
    placeholder: '<time>',
    range: ['1s', undefined],
    description: 'time limit of the queries',
    default: '1h',
  },
} as const;
export type QueryLimits = OptionValues<typeof QUERY_LIMITS>;

/** Options of commands that count sites by tables and groups of the user. */
const TABLE = {
  type: 'text',
  placeholder: '<[name=]file>',
  description:
    'table of yours about sites, such as their categories: CSV with names in the first line, or Parquet',
  isList: true,
} as const;

const GROUP = {
  type: 'text',
  placeholder: '<name=agents>',
  description: 'agents with commas between them that are counted together: any of them, all of them',
  isList: true,
} as const;

/** Options of `maycrawl census judge`. */
export const CENSUS_JUDGE_OPTIONS = {
  agents: {
    type: 'text',
    placeholder: '<list|file>',
    description: 'crawlers or product tokens with commas between them, or a file with one a line',
    isRequired: true,
  },
  out: { type: 'text', placeholder: '<folder>', description: 'folder for the tables', isRequired: true },
  manifest: {
    type: 'text',
    placeholder: '<file>',
    description: 'file or URL with the path or URL of an input on each line, also compressed by gzip',
  },
  base: {
    type: 'text',
    placeholder: '<url|folder>',
    description: 'URL or folder of the relative paths in the manifest',
  },
  sites: {
    type: 'text',
    placeholder: '<file>',
    description:
      'file or URL with sites whose robots.txt is fetched: a host or origin a line, Tranco or CrUX',
  },
  concurrency: {
    type: 'count',
    placeholder: '<count>',
    range: [1, 1024],
    description: 'number of sites that are fetched at the same time',
    default: '64',
  },
  delay: {
    type: 'duration',
    placeholder: '<time>',
    range: ['0s', '1m'],
    description: 'minimum time between requests of sites to one address',
    default: '100ms',
  },
  slice: { type: 'text', placeholder: '<i/n>', description: 'judge only the part i of n of the inputs' },
  threads: {
    type: 'count',
    placeholder: '<count>',
    range: [0, 1024],
    description: 'number of threads (default: the number of processors)',
  },
  profile: PROFILE as typeof PROFILE,
  userAgent: USER_AGENT as typeof USER_AGENT,
  timeout: {
    type: 'duration',
    placeholder: '<time>',
    range: ['1ms', '1h'],
    description: 'maximum time without progress of a server, and for the robots.txt of a site',
    default: '30s',
  },
  allowPrivate: {
    type: 'flag',
    description:
      'allow connections to private addresses from redirects and lists, not only to the URLs you name',
  },
  readAs: {
    type: 'text',
    placeholder: '<list>',
    description: 'classify files also as other programs read them: names with commas between them, or all',
  },
  lint: {
    type: 'flag',
    description: 'count the findings of the linter in each file, which takes 15 ms for a file on average',
  },
} as const;
export type CensusJudgeOptions = OptionValues<typeof CENSUS_JUDGE_OPTIONS>;

/** Options of `maycrawl census merge`. */
export const CENSUS_MERGE_OPTIONS = {
  out: { type: 'text', placeholder: '<folder>', description: 'folder for the tables', isRequired: true },
} as const;
export type CensusMergeOptions = OptionValues<typeof CENSUS_MERGE_OPTIONS>;

/** Options of `maycrawl census sql`. */
export const CENSUS_SQL_OPTIONS = {
  format: {
    type: 'choice',
    placeholder: '<name>',
    choices: ['table', 'csv', 'json', 'ndjson'],
    description: 'output format: table, csv, json or ndjson',
    default: 'table',
  },
  views: { type: 'flag', description: 'print the views as SQL for DuckDB, and run no query' },
  table: TABLE as typeof TABLE,
  group: GROUP as typeof GROUP,
} as const;
export type CensusSqlOptions = OptionValues<typeof CENSUS_SQL_OPTIONS> & QueryLimits;

/** Options of `maycrawl census compare`. */
export const CENSUS_COMPARE_OPTIONS = {
  format: {
    type: 'choice',
    placeholder: '<name>',
    choices: ['text', 'json'],
    description: 'output format: text or json',
    default: 'text',
  },
  examples: {
    type: 'count',
    placeholder: '<count>',
    range: [0, 1_000],
    description: 'number of sites that are shown for each change',
    default: '10',
  },
} as const;
export type CensusCompareOptions = OptionValues<typeof CENSUS_COMPARE_OPTIONS> & QueryLimits;

/** Options of `maycrawl census report`. */
export const CENSUS_REPORT_OPTIONS = {
  out: { type: 'text', placeholder: '<file.html>', description: 'file for the report', isRequired: true },
  ranks: {
    type: 'text',
    placeholder: '<file>',
    description: 'ranks of sites: a Tranco list, or lines of CrUX',
  },
  weights: {
    type: 'text',
    placeholder: '<file>',
    description:
      'weights of sites as CSV: hosts in the first column, a weight in each other one, names in the first line',
  },
  table: TABLE as typeof TABLE,
  group: GROUP as typeof GROUP,
  break: {
    type: 'text',
    placeholder: '<crawl=text>',
    description: 'what changed in the source before a crawl, so that no line of a chart bridges it',
    isList: true,
  },
} as const;
export type CensusReportOptions = OptionValues<typeof CENSUS_REPORT_OPTIONS> & QueryLimits;
