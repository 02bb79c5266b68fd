// `maycrawl logs ranges`: its commands. The module of each is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { RANGES_LIST_OPTIONS, RANGES_UPDATE_OPTIONS } from './options.ts';

export const LOGS_RANGES_COMMANDS: readonly AnyCommand[] = [
  defineCommand({
    name: 'logs ranges update',
    description:
      'fetch the lists of addresses that operators publish for their crawlers; exit 2: one cannot be read',
    arguments: [['<folder>', 'folder for the lists, which stay by day']],
    options: RANGES_UPDATE_OPTIONS,
    run: async (options, args) => (await import('./ranges.ts')).updateLogRanges(args, options),
  }),
  defineCommand({
    name: 'logs ranges list',
    description: 'list the lists of addresses in a folder: crawler, days, prefixes, age',
    arguments: [['<folder>', 'folder of the lists']],
    options: RANGES_LIST_OPTIONS,
    run: async (options, args) => (await import('./ranges.ts')).listLogRanges(args, options),
  }),
];
