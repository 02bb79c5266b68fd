// `maycrawl logs ranges`: its commands and their options. The module of each is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { JSON_OUTPUT, USER_AGENT } from '../../options/fetch-options.ts';
import { duration, flag, text } from '../../options/option.ts';
import type { RangesListOptions, RangesUpdateOptions } from './ranges.ts';

export const LOGS_RANGES_COMMANDS: readonly AnyCommand[] = [
  defineCommand<RangesUpdateOptions>({
    name: 'logs ranges update',
    description:
      'fetch the lists of addresses that operators publish for their crawlers; exit 2: one cannot be read',
    arguments: [['<folder>', 'folder for the lists, which stay by day']],
    options: {
      crawlers: text('<file>', 'add the crawlers and operators of a JSON file (docs/operators.md)'),
      userAgent: USER_AGENT,
      timeout: duration('<time>', ['1ms', '1h'], 'maximum time for a connection, and for a response', {
        default: '30s',
      }),
      allowPrivate: flag('allow connections to private addresses'),
      json: JSON_OUTPUT,
    },
    run: async (options, args) => (await import('./ranges.ts')).updateLogRanges(args, options),
  }),
  defineCommand<RangesListOptions>({
    name: 'logs ranges list',
    description: 'list the lists of addresses in a folder: crawler, days, prefixes, age',
    arguments: [['<folder>', 'folder of the lists']],
    options: { json: JSON_OUTPUT },
    run: async (options, args) => (await import('./ranges.ts')).listLogRanges(args, options),
  }),
];
