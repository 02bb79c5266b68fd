// The commands about the conformance of crawlers. The module of each is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { CONFORMANCE_SERVE_OPTIONS } from './options.ts';

export const CONFORMANCE_COMMANDS: readonly AnyCommand[] = [
  defineCommand({
    name: 'conformance serve',
    description:
      'serve sites on 127.0.0.1 whose robots.txt is difficult, and judge what a crawler requests of them; exit 0: nothing forbidden, 1: forbidden requests, 2: no request',
    options: CONFORMANCE_SERVE_OPTIONS,
    run: async (options) => (await import('./serve.ts')).serveConformance(options),
  }),
];
