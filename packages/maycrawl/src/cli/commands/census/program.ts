// `maycrawl census`: its commands and their options. The module of each is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { PROFILE, USER_AGENT } from '../../options/fetch-options.ts';
import { choice, count, duration, flag, list, type OptionTable, size, text } from '../../options/option.ts';
import { withTelemetry } from '../../telemetry.ts';
import type { CensusCompareOptions } from './compare.ts';
import type { CensusJudgeOptions } from './judge.ts';
import type { CensusMergeOptions } from './merge.ts';
import type { ViewValues } from './named-values.ts';
import type { QueryLimits } from './query-limits.ts';
import type { CensusReportOptions } from './report.ts';
import type { CensusSqlOptions } from './sql.ts';

/** Options of commands that run queries. */
const QUERY_LIMITS: OptionTable<QueryLimits> = {
  memory: size(
    '<size>',
    'memory of the database; what exceeds it is stored in the folder for temporary files',
    {
      default: '2GB',
    },
  ),
  threads: count('<count>', [1, 1024], 'number of threads (default: the number of processors)'),
  timeout: duration('<time>', ['1s', undefined], 'time limit of the queries', { default: '1h' }),
};

/** Options of commands that count sites by tables and groups of the user. */
const VIEW_VALUES: OptionTable<ViewValues> = {
  table: list(
    text(
      '<[name=]file>',
      'table of yours about sites, such as their categories: CSV with names in the first line, or Parquet',
    ),
  ),
  group: list(
    text(
      '<name=agents>',
      'agents with commas between them that are counted together: any of them, all of them',
    ),
  ),
};

export const CENSUS_COMMANDS: readonly AnyCommand[] = [
  defineCommand<CensusJudgeOptions>({
    name: 'census judge',
    description: 'judge the robots.txt files of archives for many crawlers, and write tables in Parquet',
    arguments: [
      [
        '[input...]',
        'WARC archives, NDJSON, Parquet, tar archives or folders of files named by host; paths, http, https and s3 URLs or - (a WARC archive)',
      ],
    ],
    options: {
      agents: text(
        '<list|file>',
        'crawlers or product tokens with commas between them, or a file with one a line',
        {
          isRequired: true,
        },
      ),
      out: text('<folder>', 'folder for the tables', { isRequired: true }),
      manifest: text(
        '<file>',
        'file or URL with the path or URL of an input on each line, also compressed by gzip',
      ),
      base: text('<url|folder>', 'URL or folder of the relative paths in the manifest'),
      sites: text(
        '<file>',
        'file or URL with sites whose robots.txt is fetched: a host or origin a line, Tranco or CrUX',
      ),
      concurrency: count('<count>', [1, 1024], 'number of sites that are fetched at the same time', {
        default: '64',
      }),
      delay: duration('<time>', ['0s', '1m'], 'minimum time between requests of sites to one address', {
        default: '100ms',
      }),
      slice: text('<i/n>', 'judge only the part i of n of the inputs'),
      threads: count('<count>', [0, 1024], 'number of threads (default: the number of processors)'),
      profile: PROFILE,
      userAgent: USER_AGENT,
      timeout: duration(
        '<time>',
        ['1ms', '1h'],
        'maximum time without progress of a server, and for the robots.txt of a site',
        {
          default: '30s',
        },
      ),
      allowPrivate: flag(
        'allow connections to private addresses from redirects and lists, not only to the URLs you name',
      ),
      readAs: text(
        '<list>',
        'classify files also as other programs read them: names with commas between them, or all',
      ),
      lint: flag('count the findings of the linter in each file, which takes 15 ms for a file on average'),
    },
    run: (options, inputs) =>
      withTelemetry(async () => (await import('./judge.ts')).censusJudge(inputs, options)),
  }),
  defineCommand<CensusMergeOptions>({
    name: 'census merge',
    description: 'merge the parts that census judge --slice wrote',
    arguments: [['[folder...]', 'folders with parts']],
    options: {
      out: text('<folder>', 'folder for the tables', { isRequired: true }),
    },
    run: async (options, folders) => (await import('./merge.ts')).censusMerge(folders, options),
  }),
  defineCommand<CensusSqlOptions>({
    name: 'census sql',
    description: 'run a query over censuses (needs the package @duckdb/node-api)',
    arguments: [
      ['[folder-or-query...]', 'folders of censuses, then a query in SQL, or - for standard input'],
    ],
    options: {
      format: choice(
        '<name>',
        ['table', 'csv', 'json', 'ndjson'],
        'output format: table, csv, json or ndjson',
        {
          default: 'table',
        },
      ),
      views: flag('print the views as SQL for DuckDB, and run no query'),
      ...VIEW_VALUES,
      ...QUERY_LIMITS,
    },
    run: async (options, names) => (await import('./sql.ts')).censusSql(names, options),
  }),
  defineCommand<CensusCompareOptions>({
    name: 'census compare',
    description: 'what changed between two censuses, by agent (needs the package @duckdb/node-api)',
    arguments: [['[folder...]', 'folders of the first and of the second census']],
    options: {
      format: choice('<name>', ['text', 'json'], 'output format: text or json', { default: 'text' }),
      examples: count('<count>', [0, 1_000], 'number of sites that are shown for each change', {
        default: '10',
      }),
      ...QUERY_LIMITS,
    },
    run: async (options, folders) => (await import('./compare.ts')).censusCompare(folders, options),
  }),
  defineCommand<CensusReportOptions>({
    name: 'census report',
    description:
      'write a report about one or several censuses, as one HTML file (needs the package @duckdb/node-api)',
    arguments: [['[folder...]', 'folders of censuses']],
    options: {
      out: text('<file.html>', 'file for the report', { isRequired: true }),
      ranks: text('<file>', 'ranks of sites: a Tranco list, or lines of CrUX'),
      weights: text(
        '<file>',
        'weights of sites as CSV: hosts in the first column, a weight in each other one, names in the first line',
      ),
      ...VIEW_VALUES,
      break: list(
        text(
          '<crawl=text>',
          'what changed in the source before a crawl, so that no line of a chart bridges it',
        ),
      ),
      ...QUERY_LIMITS,
    },
    run: async (options, folders) => (await import('./report.ts')).censusReport(folders, options),
  }),
];
