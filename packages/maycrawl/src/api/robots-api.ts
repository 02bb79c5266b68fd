// The JSON of `GET /v1/robots`: the robots.txt of an origin, how it was fetched, and its policy.
import { freezeDeep } from '@maycrawl/core/internal';
import { COMMON } from './common.ts';
import { type JsonOf, toJsonSchema } from './json-schema.ts';

const REPORT = {
  type: 'object',
  properties: {
    origin: { type: 'string' },
    url: { type: 'string' },
    policy: { $ref: '#/$defs/Policy' },
    result: {
      anyOf: [{ $ref: '#/$defs/Result' }, { type: 'null' }],
      description: 'The result of the last fetch.',
    },
    status: { type: ['integer', 'null'] },
    code: { type: ['string', 'null'], description: 'Why there is no file, for programs.' },
    message: { type: ['string', 'null'], description: 'The same for people.' },
    hops: { type: 'array', items: { $ref: '#/$defs/Hop' } },
    headers: { anyOf: [{ $ref: '#/$defs/Headers' }, { type: 'null' }] },
    timings: {
      type: ['object', 'null'],
      description: 'Milliseconds of the last fetch and of its parts.',
    },
    fetchedAt: { $ref: '#/$defs/TimeOrNull' },
    expiresAt: { $ref: '#/$defs/TimeOrNull' },
    outage: { anyOf: [{ $ref: '#/$defs/Outage' }, { type: 'null' }] },
    bytes: { type: 'integer' },
    content: { type: ['string', 'null'], description: 'The file, in base64; null if there is none.' },
    events: {
      type: 'array',
      description: 'The last fetches, the newest first.',
      items: {
        type: 'object',
        properties: {
          at: { $ref: '#/$defs/TimeOrNull' },
          kind: { $ref: '#/$defs/Result' },
          status: { type: ['integer', 'null'] },
          code: { type: ['string', 'null'] },
          hash: { type: ['string', 'null'], description: 'SHA-256 of the file, in hexadecimal.' },
          bytes: { type: 'integer' },
        },
      },
    },
  },
} as const;

/** The schema of the response of `GET /v1/robots`. */
export const ROBOTS_REPORT: object = /* @__PURE__ */ freezeDeep(toJsonSchema(REPORT, COMMON));

/** The response of `GET /v1/robots`. */
export type RobotsReport = JsonOf<typeof REPORT, typeof COMMON>;
