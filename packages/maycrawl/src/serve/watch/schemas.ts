// What the routes of the monitor take and give, as JSON Schema: queries here, bodies and responses in api/watch-api.ts.
import { POLICY_CODES } from '@maycrawl/core';
import { toJsonSchema } from '../../api/json-schema.ts';
import { WATCH_API, WATCH_RESPONSES, type WatchRoute } from '../../api/watch-api.ts';
import { failures, json } from '../routes/schemas.ts';

const origin = {
  type: 'string',
  maxLength: 2_000,
  description: 'An origin such as https://example.com, or any URL of it.',
} as const;
/** Parameters of queries are strings. */
const number = (description: string): object => ({ type: 'string', pattern: '^[1-9]\\d{0,8}$', description });
const count = (most: number): object => ({
  type: 'string',
  pattern: '^[1-9]\\d{0,2}$',
  description: `How many, at most ${most}.`,
});

export const originQuery: object = { type: 'object', required: ['origin'], properties: { origin } };

export const sitesQuery: object = {
  type: 'object',
  properties: {
    search: { type: 'string', maxLength: 300, description: 'A part of the origin.' },
    policy: { type: 'string', enum: POLICY_CODES, description: 'The kind of the policy, or its reason.' },
    severity: { ...WATCH_API.Severity, description: 'The severity of the last event.' },
    after: {
      type: 'string',
      maxLength: 2_000,
      pattern: '^[!-~]*$',
      description: 'The `next` of the previous page.',
    },
    limit: count(200),
  },
};

export const eventsQuery: object = {
  type: 'object',
  properties: { origin, before: { type: 'string', format: 'date-time' }, limit: count(200) },
};

export const versionsQuery: object = {
  type: 'object',
  required: ['origin'],
  properties: { origin, before: number('Versions before this one.'), limit: count(200) },
};

export const versionQuery: object = {
  type: 'object',
  required: ['origin', 'number'],
  properties: { origin, number: number('The number of the version.') },
};

export const compareQuery: object = {
  type: 'object',
  required: ['origin', 'before', 'after'],
  properties: {
    origin,
    before: number('The number of a version.'),
    after: number('The number of another version.'),
  },
};

export const urlsQuery: object = {
  type: 'object',
  required: ['origin'],
  properties: { origin, versions: count(100) },
};

export const addBody: object = getWatchSchema('NewSite');
export const changeBody: object = getWatchSchema('SettingsChange');
export const testBody: object = getWatchSchema('TestNotification');

export function getWatchResponses(route: WatchRoute, description: string): object {
  return { 200: json(description, getWatchSchema(WATCH_RESPONSES[route])), ...failures };
}

function getWatchSchema(name: keyof typeof WATCH_API): object {
  return toJsonSchema(WATCH_API[name], WATCH_API);
}
