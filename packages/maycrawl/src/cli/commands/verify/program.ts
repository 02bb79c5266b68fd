// `maycrawl verify`: its options.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { FETCHING } from '../../options/fetch-options.ts';
import { choice, flag, text } from '../../options/option.ts';
import type { VerifyOptions } from './verify.ts';

export const VERIFY_COMMAND: AnyCommand = defineCommand<VerifyOptions>({
  name: 'verify',
  description:
    'check a robots.txt against expectations, or that the repository, the build and the server have the same one; exit 0: as expected, 1: not as expected, 2: undecided or invalid',
  arguments: [['[file|url|-]', 'the robots.txt to check against expectations']],
  options: {
    tests: text('<file>', 'file with the expectations', { default: 'robots.test.yaml' }),
    init: flag('write expectations that the robots.txt meets now'),
    source: text(
      '<file>',
      'the robots.txt of the repository, to compare with the built and the deployed one',
    ),
    built: text('<file>', 'the robots.txt that the build wrote'),
    deployed: text('<url>', 'the site whose robots.txt is compared, as its server sends it now'),
    environment: choice(
      '<name>',
      ['production', 'preview', 'staging'],
      'check the last of these files for its environment: production is open for Googlebot; preview and staging are closed for every crawler',
    ),
    acceptManaged: flag(
      'accept differences that a managed block of a vendor makes, such as that of Cloudflare',
    ),
    format: choice(
      '<name>',
      ['text', 'json', 'junit', 'github'],
      'output format: text, json, junit or github',
      {
        default: 'text',
      },
    ),
    ...FETCHING,
  },
  run: async (options, [name]) => (await import('./verify.ts')).verify(name, options),
});
