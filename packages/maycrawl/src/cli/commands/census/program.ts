/**
 * `maycrawl census`: its commands and their options. The module of each is loaded only when it is called.
 *
 * @module
 */
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { PROFILE } from '../../options/fetch-options.ts';
import { count, flag, text } from '../../options/option.ts';
import type { CensusJudgeOptions } from './judge.ts';
import type { CensusMergeOptions } from './merge.ts';

/** The commands. */
export const CENSUS_COMMANDS: readonly AnyCommand[] = [
  defineCommand<CensusJudgeOptions>({
    name: 'census judge',
    description: 'judge the robots.txt files of archives for many crawlers, and write tables in Parquet',
    arguments: [
      [
        '[input...]',
        'WARC archives, NDJSON, folders or tar archives of files named by host, or - (a WARC archive)',
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
      manifest: text('<file>', 'file with the path of an input on each line'),
      slice: text('<i/n>', 'judge only the part i of n of the inputs'),
      threads: count('<count>', [0, 1024], 'number of threads (default: the number of processors)'),
      profile: PROFILE,
      readAs: text(
        '<list>',
        'classify files also as other programs read them: names with commas between them, or all',
      ),
      lint: flag('count the findings of the linter in each file, which takes 100 times as long'),
    },
    run: async (options, inputs) => (await import('./judge.ts')).censusJudge(inputs, options),
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
];
