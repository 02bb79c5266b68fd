/**
 * What the routes of the monitor take, as JSON Schema.
 *
 * @module
 */
import { SEVERITY_OF } from '../../watch/aspects.ts';
import { SEVERITIES } from '../../watch/site.ts';

const origin = {
  type: 'string',
  maxLength: 2_000,
  description: 'An origin such as https://example.com, or any URL of it.',
} as const;
/** Queries are texts. */
const number = (description: string): object => ({ type: 'string', pattern: '^[1-9]\\d{0,8}$', description });
const count = (most: number): object => ({
  type: 'string',
  pattern: '^[1-9]\\d{0,2}$',
  description: `How many, at most ${most}.`,
});
const severity = { type: 'string', enum: SEVERITIES } as const;

/** `?origin=…` */
export const originQuery: object = { type: 'object', required: ['origin'], properties: { origin } };

/** `?search=…&holds=…&severity=…&after=…&limit=…` */
export const sitesQuery: object = {
  type: 'object',
  properties: {
    search: { type: 'string', maxLength: 300, description: 'A part of the origin.' },
    holds: { type: 'string', enum: ['unknown', 'rules', 'absent', 'unreachable', 'outage-expired'] },
    severity: { ...severity, description: 'How bad the last event was.' },
    after: {
      type: 'string',
      maxLength: 2_000,
      pattern: '^[!-~]*$',
      description: '`next` of the page before.',
    },
    limit: count(200),
  },
};

/** `?origin=…&before=…&limit=…` for events. */
export const eventsQuery: object = {
  type: 'object',
  properties: { origin, before: { type: 'string', format: 'date-time' }, limit: count(200) },
};

/** `?origin=…&before=…&limit=…` for versions. */
export const versionsQuery: object = {
  type: 'object',
  required: ['origin'],
  properties: { origin, before: number('Versions before this one.'), limit: count(200) },
};

/** `?origin=…&number=…` */
export const versionQuery: object = {
  type: 'object',
  required: ['origin', 'number'],
  properties: { origin, number: number('Of the version.') },
};

/** `?origin=…&before=…&after=…` */
export const compareQuery: object = {
  type: 'object',
  required: ['origin', 'before', 'after'],
  properties: { origin, before: number('A version.'), after: number('Another one.') },
};

/** `?origin=…&versions=…` */
export const urlsQuery: object = {
  type: 'object',
  required: ['origin'],
  properties: { origin, versions: count(100) },
};

const text = (maxLength: number, description: string): object => ({
  anyOf: [{ type: 'string', maxLength, description }, { type: 'null' }],
});

const settings = {
  every: { type: 'integer', minimum: 60_000, maximum: 31_536_000_000, description: 'Milliseconds.' },
  agents: { type: 'array', maxItems: 60, items: { type: 'string', minLength: 1, maxLength: 1_000 } },
  urls: text(8_000_000, 'URLs whose verdicts matter, one a line. Null takes them away; left out, they stay.'),
  tests: text(256_000, 'Expectations, in YAML.'),
  notify: {
    type: 'array',
    maxItems: 20,
    items: {
      anyOf: [
        { type: 'string', maxLength: 2_000, description: 'A target: https:, slack:, mailto: or log.' },
        {
          type: 'object',
          additionalProperties: false,
          required: ['index', 'shown'],
          properties: { index: { type: 'integer', minimum: 0 }, shown: { type: 'string' } },
          description: 'A target that stays.',
        },
      ],
    },
  },
  severity: {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.keys(SEVERITY_OF).map((aspect) => [aspect, severity])),
  },
} as const;

const required = ['every', 'agents', 'notify', 'severity'];

export const addBody: object = {
  type: 'object',
  additionalProperties: false,
  required: ['origin', ...required],
  properties: { origin, ...settings },
};

export const changeBody: object = {
  type: 'object',
  additionalProperties: false,
  required,
  properties: settings,
};

export const testBody: object = {
  type: 'object',
  additionalProperties: false,
  required: ['target'],
  properties: { target: { type: 'string', minLength: 1, maxLength: 2_000 } },
};
