// The commands about access logs.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { LOGS_OPTIONS } from './options.ts';
import { LOGS_RANGES_COMMANDS } from './ranges-program.ts';

/** The commands, in the order of the help. */
export const LOGS_COMMANDS: readonly AnyCommand[] = [
  defineCommand({
    name: 'logs',
    description:
      'find in access logs which crawlers came, whether they are genuine, and whether they obeyed the rules; exit 1: --fail-on found something, 2: more than 1 % of the lines cannot be read',
    arguments: [['<file...>', 'access logs, also compressed by gzip; - for standard input']],
    options: LOGS_OPTIONS,
    run: async (options, files) => (await import('./logs.ts')).logs(files, options),
  }),
  ...LOGS_RANGES_COMMANDS,
];
