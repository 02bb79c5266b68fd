// The commands about the conformance of crawlers, with their options. The module of each is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { choice, count, duration, flag, list, text } from '../../options/option.ts';
import type { ConformanceServeOptions } from './serve.ts';

export const CONFORMANCE_COMMANDS: readonly AnyCommand[] = [
  defineCommand<ConformanceServeOptions>({
    name: 'conformance serve',
    description:
      'serve sites on 127.0.0.1 whose robots.txt is difficult, and judge what a crawler requests of them; exit 0: nothing forbidden, 1: forbidden requests, 2: no request',
    options: {
      port: count('<number>', [0, 65_000], 'first port; each site has the next two; 0: any free ports', {
        default: '8900',
      }),
      agent: text(
        '<token>',
        'product token of the crawler; without it, sites whose robots.txt names the crawler are omitted',
      ),
      scenario: list(text('<id>', 'serve only these scenarios (docs/crawler-conformance.md)')),
      idle: duration('<time>', ['1s', '1d'], 'end after this time without a request (default: with Ctrl-C)'),
      profile: choice('<name>', ['rfc9309', 'google'], 'what the exit code is about: rfc9309 or google', {
        default: 'rfc9309',
      }),
      json: flag('print the report as JSON'),
    },
    run: async (options) => (await import('./serve.ts')).serveConformance(options),
  }),
];
