// The lines that `maycrawl serve` writes to its log. docs/serve-log.schema.json and the table in docs/operations.md follow from this
// description; a test compares them, and validates lines of each kind.
import { freezeDeep } from '@maycrawl/core/internal';
import { type JsonOf, toJsonSchema } from './json-schema.ts';

const DESCRIPTION = {
  type: 'object',
  properties: {
    level: {
      type: 'integer',
      enum: [10, 20, 30, 40, 50, 60],
      description: 'Trace, debug, info, warn, error or fatal.',
    },
    time: { type: 'integer', description: 'Milliseconds since 1970.' },
    pid: { type: 'integer', description: 'The process.' },
    hostname: { type: 'string', description: 'The machine.' },
    msg: {
      type: 'string',
      description: 'What happened. The text of an event does not change with its data.',
    },
    err: {
      type: 'object',
      description: 'The error, with its stack. Its message can quote a site or a client.',
      properties: {
        type: { type: 'string' },
        message: { type: 'string' },
        stack: { type: 'string' },
        code: { type: ['string', 'number'] },
      },
      optional: ['code'],
    },
    reason: { type: 'string', description: 'Why it failed, in one line.' },
    address: { type: 'string', description: 'The URL at which the service listens.' },
    signal: { type: 'string', description: 'The signal that stops the service.' },
    drainTime: {
      type: 'integer',
      description: 'Milliseconds in which requests are accepted after the signal.',
    },
    folder: { type: 'string', description: 'The folder of the pages.' },
    severity: {
      type: 'string',
      enum: ['error', 'warning', 'info'],
      description: 'Of a test notification to the target `log`, whose title is `msg`.',
    },
    method: { type: 'string', description: 'Of the request.' },
    route: {
      type: 'string',
      description: 'The route of the request, without its query; `none`: no route has this path.',
    },
    status: {
      type: ['integer', 'null'],
      description: 'Of the response to the request, or of the robots.txt; `null`: no response.',
    },
    milliseconds: { type: 'number', description: 'Duration of the request.' },
    origin: { type: 'string', description: 'The site.' },
    kind: { type: 'string', description: 'Of an event of the client (telemetry.md); the same as `msg`.' },
    url: { type: 'string', description: 'Of the robots.txt that was fetched.' },
    userAgent: { type: 'string', description: 'The User-Agent header of the fetch.' },
    duration: { type: 'number', description: 'Of the fetch or the outage, in milliseconds.' },
    result: {
      type: 'string',
      enum: ['successful', 'not-modified', 'unavailable', 'unreachable'],
      description: 'Of the fetch.',
    },
    code: { type: ['string', 'null'], description: 'Why there is no file; `null` if there is one.' },
    bytes: { type: 'integer', description: 'Length of the file.' },
    responses: { type: 'integer', description: 'Responses of the fetch, redirects included.' },
    count: { type: 'integer', description: 'Evicted origins.' },
    since: { type: 'integer', description: 'When the outage began, in milliseconds since 1970.' },
    retryAt: {
      type: 'integer',
      description: 'When the robots.txt is fetched again, in milliseconds since 1970.',
    },
    failures: { type: 'integer', description: 'Failures of the outage.' },
  },
  optional: [
    'err',
    'reason',
    'address',
    'signal',
    'drainTime',
    'folder',
    'severity',
    'method',
    'route',
    'status',
    'milliseconds',
    'origin',
    'kind',
    'url',
    'userAgent',
    'duration',
    'result',
    'code',
    'bytes',
    'responses',
    'count',
    'since',
    'retryAt',
    'failures',
  ],
  additionalProperties: false,
} as const;

/** The schema of a line of the log of `maycrawl serve`. */
export const LOG_LINE: object = /* @__PURE__ */ freezeDeep(toJsonSchema(DESCRIPTION));

/** A line of the log of `maycrawl serve`. */
export type LogLine = JsonOf<typeof DESCRIPTION, object>;
