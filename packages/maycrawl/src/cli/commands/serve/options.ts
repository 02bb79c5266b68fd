// The options of `maycrawl serve`. The module loads no package, because the command loads it at every start.
import type { NumberRange } from '@maycrawl/core/internal';
import { LIMITS } from '../../../serve/limits/limits.ts';
import { CACHE_DATABASE, MAX_BYTES, MAX_ORIGINS, TIMEOUT, USER_AGENT } from '../../options/fetch-options.ts';
import type { OptionValues } from '../../options/option-record.ts';

/** Options of `maycrawl serve`. */
export const SERVE_OPTIONS = {
  host: {
    type: 'text',
    placeholder: '<address>',
    description: 'address to listen on',
    default: '127.0.0.1',
    sections: ['serve'],
  },
  port: {
    type: 'count',
    placeholder: '<number>',
    range: [0, 65_535],
    description: 'port to listen on; 0: any free port',
    default: '8080',
    sections: ['serve'],
  },
  database: CACHE_DATABASE as typeof CACHE_DATABASE,
  maxBytes: MAX_BYTES as typeof MAX_BYTES,
  maxOrigins: MAX_ORIGINS as typeof MAX_ORIGINS,
  watchDatabase: {
    type: 'text',
    placeholder: '<path|url>',
    description: 'database of the monitor; also serves the pages of the monitor',
    sections: ['serve'],
  },
  audits: {
    type: 'text',
    placeholder: '<folder>',
    description: 'folder with reports of audits; serves them at /audits/',
    sections: ['serve'],
  },
  userAgent: USER_AGENT as typeof USER_AGENT,
  timeout: TIMEOUT as typeof TIMEOUT,
  allowPrivate: {
    type: 'flag',
    description:
      'allow connections to private addresses; never set it if untrusted clients can send requests',
    sections: ['serve'],
  },
  tokenFile: {
    type: 'text',
    placeholder: '<file>',
    description: 'file with bearer tokens, one a line; clients must send one of them',
    sections: ['serve'],
  },
  tokens: {
    type: 'text',
    placeholder: '<token>',
    description: 'bearer tokens, in addition to those of the file',
    isSecret: true,
    isList: true,
    sections: ['serve'],
  },
  invalidateTokenFile: {
    type: 'text',
    placeholder: '<file>',
    description: 'file with bearer tokens of POST /v1/cache/invalidate; the route does not exist without it',
    sections: ['serve'],
  },
  rateLimit: {
    type: 'count',
    placeholder: '<count>',
    range: [1, 1e9],
    description: 'maximum number of requests of one client per minute (default: unlimited)',
    sections: ['serve'],
  },
  clientWork: {
    type: 'duration',
    placeholder: '<time>',
    range: ['10ms', '10m'],
    description:
      'maximum time that large files and long URLs of one client may take the processor per minute',
    default: '20s',
    acceptsNone: true,
    sections: ['serve'],
  },
  clientRequests: {
    type: 'count',
    placeholder: '<count>',
    range: [1, LIMITS.requests / 2] as NumberRange,
    description: 'maximum number of concurrent requests of one client',
    default: '500',
    acceptsNone: true,
    sections: ['serve'],
  },
  clientFetches: {
    type: 'count',
    placeholder: '<count>',
    range: [1, LIMITS.fetches / 2] as NumberRange,
    description: 'maximum number of concurrent fetches for one client',
    default: '64',
    acceptsNone: true,
    sections: ['serve'],
  },
  trustProxy: {
    type: 'text',
    placeholder: '<address>',
    description: 'a proxy whose X-Forwarded-For header is trusted',
    isList: true,
    sections: ['serve'],
  },
  allowedHost: {
    type: 'text',
    placeholder: '<name>',
    description: 'a host name of the service, in addition to localhost and --host',
    isList: true,
    sections: ['serve'],
  },
  drainTime: {
    type: 'duration',
    placeholder: '<time>',
    range: ['0s', '10m'],
    description: 'after SIGTERM: time in which requests are accepted while /readyz responds with 503',
    default: '5s',
    sections: ['serve'],
  },
  logLevel: {
    type: 'choice',
    placeholder: '<name>',
    choices: ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
    description: 'log level: silent, fatal, error, warn, info, debug or trace',
    default: 'info',
    sections: ['serve'],
  },
} as const;
export type ServeOptions = OptionValues<typeof SERVE_OPTIONS>;
