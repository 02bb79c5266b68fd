// The options of `maycrawl verify`, without those of each command that fetches robots.txt. The module loads no package, because the command
// loads it at every start.
import type { ReadingOptions } from '../../options/fetch-options.ts';
import type { OptionValues } from '../../options/option-record.ts';

/** Options of `maycrawl verify`. */
export const VERIFY_OPTIONS = {
  tests: {
    type: 'text',
    placeholder: '<file>',
    description: 'file with the expectations',
    default: 'robots.test.yaml',
  },
  init: { type: 'flag', description: 'write expectations that the robots.txt meets now' },
  source: {
    type: 'text',
    placeholder: '<file>',
    description: 'the robots.txt of the repository, to compare with the built and the deployed one',
  },
  built: { type: 'text', placeholder: '<file>', description: 'the robots.txt that the build wrote' },
  deployed: {
    type: 'text',
    placeholder: '<url>',
    description: 'the site whose robots.txt is compared, as its server sends it now',
  },
  environment: {
    type: 'choice',
    placeholder: '<name>',
    choices: ['production', 'preview', 'staging'],
    description:
      'check the last of these files for its environment: production is open for Googlebot; preview and staging are closed for every crawler',
  },
  acceptManaged: {
    type: 'flag',
    description: 'accept differences that a managed block of a vendor makes, such as that of Cloudflare',
  },
  format: {
    type: 'choice',
    placeholder: '<name>',
    choices: ['text', 'json', 'junit', 'github'],
    description: 'output format: text, json, junit or github',
    default: 'text',
  },
} as const;
export type VerifyOptions = OptionValues<typeof VERIFY_OPTIONS> & ReadingOptions;
