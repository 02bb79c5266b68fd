// `maycrawl census`: its commands. The module of each is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { withTelemetry } from '../../telemetry.ts';
import {
  CENSUS_COMPARE_OPTIONS,
  CENSUS_JUDGE_OPTIONS,
  CENSUS_MERGE_OPTIONS,
  CENSUS_REPORT_OPTIONS,
  CENSUS_SQL_OPTIONS,
  QUERY_LIMITS,
} from './options.ts';

export const CENSUS_COMMANDS: readonly AnyCommand[] = [
  defineCommand({
    name: 'census judge',
    description: 'judge the robots.txt files of archives for many crawlers, and write tables in Parquet',
    arguments: [
      [
        '[input...]',
        'WARC archives, NDJSON, Parquet, tar archives or folders of files named by host; paths, http, https and s3 URLs or - (a WARC archive)',
      ],
    ],
    options: CENSUS_JUDGE_OPTIONS,
    run: (options, inputs) =>
      withTelemetry(async () => (await import('./judge.ts')).censusJudge(inputs, options)),
  }),
  defineCommand({
    name: 'census merge',
    description: 'merge the parts that census judge --slice wrote',
    arguments: [['[folder...]', 'folders with parts']],
    options: CENSUS_MERGE_OPTIONS,
    run: async (options, folders) => (await import('./merge.ts')).censusMerge(folders, options),
  }),
  defineCommand({
    name: 'census sql',
    description: 'run a query over censuses (needs the package @duckdb/node-api)',
    arguments: [
      ['[folder-or-query...]', 'folders of censuses, then a query in SQL, or - for standard input'],
    ],
    options: { ...CENSUS_SQL_OPTIONS, ...QUERY_LIMITS },
    run: async (options, names) => (await import('./sql.ts')).censusSql(names, options),
  }),
  defineCommand({
    name: 'census compare',
    description: 'what changed between two censuses, by agent (needs the package @duckdb/node-api)',
    arguments: [['[folder...]', 'folders of the first and of the second census']],
    options: { ...CENSUS_COMPARE_OPTIONS, ...QUERY_LIMITS },
    run: async (options, folders) => (await import('./compare.ts')).censusCompare(folders, options),
  }),
  defineCommand({
    name: 'census report',
    description:
      'write a report about one or several censuses, as one HTML file (needs the package @duckdb/node-api)',
    arguments: [['[folder...]', 'folders of censuses']],
    options: { ...CENSUS_REPORT_OPTIONS, ...QUERY_LIMITS },
    run: async (options, folders) => (await import('./report.ts')).censusReport(folders, options),
  }),
];
