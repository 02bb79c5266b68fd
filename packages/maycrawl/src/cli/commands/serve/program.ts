// `maycrawl serve`: its options.
import { LIMITS } from '../../../serve/limits/limits.ts';
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { CACHE_DATABASE, CACHE_LIMITS, TIMEOUT, USER_AGENT } from '../../options/fetch-options.ts';
import { choice, count, duration, flag, list, orNone, text } from '../../options/option.ts';
import { withTelemetry } from '../../telemetry.ts';
import type { ServeOptions } from './serve.ts';

export const SERVE_COMMAND: AnyCommand = defineCommand<ServeOptions>({
  name: 'serve',
  description: 'run the tester page and the decision service',
  options: {
    host: text('<address>', 'address to listen on', { default: '127.0.0.1' }),
    port: count('<number>', [0, 65_535], 'port to listen on; 0: any free port', { default: '8080' }),
    database: CACHE_DATABASE,
    ...CACHE_LIMITS,
    watchDatabase: text('<path|url>', 'database of the monitor; also serves the pages of the monitor'),
    audits: text('<folder>', 'folder with reports of audits; serves them at /audits/'),
    userAgent: USER_AGENT,
    timeout: TIMEOUT,
    allowPrivate: flag(
      'allow connections to private addresses; never set it if untrusted clients can send requests',
    ),
    tokenFile: text('<file>', 'file with bearer tokens, one a line; clients must send one of them'),
    tokens: list(text('<token>', 'bearer tokens, in addition to those of the file', { isSecret: true })),
    invalidateTokenFile: text(
      '<file>',
      'file with bearer tokens of POST /v1/cache/invalidate; the route does not exist without it',
    ),
    rateLimit: count(
      '<count>',
      [1, 1e9],
      'maximum number of requests of one client per minute (default: unlimited)',
    ),
    clientWork: orNone(
      duration(
        '<time>',
        ['10ms', '10m'],
        'maximum time that large files and long URLs of one client may take the processor per minute',
        { default: '20s' },
      ),
    ),
    clientRequests: orNone(
      count('<count>', [1, LIMITS.requests / 2], 'maximum number of concurrent requests of one client', {
        default: '500',
      }),
    ),
    clientFetches: orNone(
      count('<count>', [1, LIMITS.fetches / 2], 'maximum number of concurrent fetches for one client', {
        default: '64',
      }),
    ),
    trustProxy: list(text('<address>', 'a proxy whose X-Forwarded-For header is trusted')),
    allowedHost: list(text('<name>', 'a host name of the service, in addition to localhost and --host')),
    drainTime: duration(
      '<time>',
      ['0s', '10m'],
      'after SIGTERM: time in which requests are accepted while /readyz responds with 503',
      { default: '5s' },
    ),
    logLevel: choice(
      '<name>',
      ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
      'log level: silent, fatal, error, warn, info, debug or trace',
      { default: 'info' },
    ),
  },
  configuration: { section: 'serve' },
  run: (options) => withTelemetry(async () => (await import('./serve.ts')).serve(options)),
});
