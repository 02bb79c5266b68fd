// `maycrawl verify`. Its module is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { FETCHING } from '../../options/fetch-options.ts';
import { VERIFY_OPTIONS } from './options.ts';

export const VERIFY_COMMAND: AnyCommand = defineCommand({
  name: 'verify',
  description:
    'check a robots.txt against expectations, or that the repository, the build and the server have the same one; exit 0: as expected, 1: not as expected, 2: undecided or invalid',
  arguments: [['[file|url|-]', 'the robots.txt to check against expectations']],
  options: { ...VERIFY_OPTIONS, ...FETCHING },
  run: async (options, [name]) => (await import('./verify.ts')).verify(name, options),
});
