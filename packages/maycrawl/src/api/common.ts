// Definitions that several parts of the API share.

/** The definitions. They refer to those of all files by `#/$defs/NAME`. */
export const COMMON = {
  Severity: { type: 'string', enum: ['error', 'warning', 'info'] },
  Result: { type: 'string', enum: ['successful', 'unavailable', 'unreachable'] },
  Policy: {
    anyOf: [
      {
        type: 'object',
        properties: { kind: { type: 'string', enum: ['rules', 'unknown'] } },
      },
      {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['allow-all'] },
          reason: { type: 'string', enum: ['unavailable', 'outage-expired'] },
        },
      },
      {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['disallow-all'] },
          reason: { type: 'string', enum: ['unreachable'] },
        },
      },
    ],
  },
  Time: { type: 'string', format: 'date-time' },
  TimeOrNull: { type: ['string', 'null'], format: 'date-time' },
  Hop: {
    type: 'object',
    optional: ['location'],
    properties: {
      url: { type: 'string' },
      status: { type: ['integer', 'null'] },
      location: { type: 'string', description: 'The Location header, as it was sent.' },
    },
  },
  Headers: {
    type: 'object',
    properties: {
      cacheControl: { type: ['string', 'null'] },
      expires: { type: ['string', 'null'] },
      date: { type: ['string', 'null'] },
      age: { type: ['string', 'null'] },
      etag: { type: ['string', 'null'] },
      lastModified: { type: ['string', 'null'] },
      retryAfter: { type: ['string', 'null'] },
    },
  },
  Outage: {
    type: 'object',
    properties: {
      since: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'When the outage began: the first failure that the outage policy counts.',
      },
      lastAt: { $ref: '#/$defs/TimeOrNull' },
      failures: { type: 'integer' },
      message: { type: 'string' },
      retryAt: { $ref: '#/$defs/TimeOrNull' },
      nextPhaseAt: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'When the outage policy changes the policy, if the outage continues.',
      },
    },
  },
} as const;
