/**
 * `maycrawl serve`: its options.
 *
 * @module
 */
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { CACHE_DATABASE, TIMEOUT, USER_AGENT } from '../../options/fetch-options.ts';
import { choice, count, flag, list, text } from '../../options/option.ts';
import type { ServeOptions } from './serve.ts';

/** The command. */
export const SERVE_COMMAND: AnyCommand = defineCommand<ServeOptions>({
  name: 'serve',
  description: 'the tester page and the decision service, until it is stopped',
  options: {
    host: text('<address>', 'address where it listens', { default: '127.0.0.1' }),
    port: count('<number>', [0, 65_535], 'port; 0: any that is free', { default: '8080' }),
    database: CACHE_DATABASE,
    watchDatabase: text('<path|url>', 'database of the monitor, whose pages it then serves, too'),
    audits: text('<folder>', 'folder with reports of audits, which it then serves at /audits/'),
    userAgent: USER_AGENT,
    timeout: TIMEOUT,
    allowPrivate: flag('also connect to private addresses; do not set it where strangers can send requests'),
    tokenFile: text('<file>', 'file with bearer tokens, one a line; a client needs one of them'),
    tokens: list(text('<token>', 'bearer tokens, besides those of the file', { isSecret: true })),
    rateLimit: count('<count>', [1, 1e9], 'requests that one client may make in a minute (default: any)'),
    trustProxy: list(text('<address>', "a proxy whose statement of clients' addresses is used")),
    allowedHost: list(
      text('<name>', 'a name under which clients reach the service, besides localhost and --host'),
    ),
    logLevel: choice(
      '<name>',
      ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
      'silent, fatal, error, warn, info, debug or trace',
      { default: 'info' },
    ),
  },
  configuration: {
    section: 'serve',
    names: [
      ...(['host', 'port', 'database', 'watchDatabase', 'audits', 'userAgent', 'timeout'] as const),
      ...(['allowPrivate', 'tokenFile', 'tokens', 'rateLimit', 'trustProxy', 'allowedHost'] as const),
      'logLevel',
    ],
  },
  run: async (options) => (await import('./serve.ts')).serve(options),
});
