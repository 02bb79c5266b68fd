// The options of the commands about the conformance of crawlers. The module loads no package, because the command loads it at every start.
import type { OptionValues } from '../../options/option-record.ts';

/** Options of `maycrawl conformance serve`. */
export const CONFORMANCE_SERVE_OPTIONS = {
  port: {
    type: 'count',
    placeholder: '<number>',
    range: [0, 65_000],
    description: 'first port; each site has the next two; 0: any free ports',
    default: '8900',
  },
  agent: {
    type: 'text',
    placeholder: '<token>',
    description:
      'product token of the crawler; without it, sites whose robots.txt names the crawler are omitted',
  },
  scenario: {
    type: 'text',
    placeholder: '<id>',
    description: 'serve only these scenarios (docs/crawler-conformance.md)',
    isList: true,
  },
  idle: {
    type: 'duration',
    placeholder: '<time>',
    range: ['1s', '1d'],
    description: 'end after this time without a request (default: with Ctrl-C)',
  },
  profile: {
    type: 'choice',
    placeholder: '<name>',
    choices: ['rfc9309', 'google'],
    description: 'what the exit code is about: rfc9309 or google',
    default: 'rfc9309',
  },
  json: { type: 'flag', description: 'print the report as JSON' },
} as const;
export type ConformanceServeOptions = OptionValues<typeof CONFORMANCE_SERVE_OPTIONS>;
