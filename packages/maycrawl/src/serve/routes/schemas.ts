// JSON Schemas of requests and responses. Fastify validates requests with them and creates the OpenAPI document from them.
import { PROFILES } from '@maycrawl/core';
import { PROBLEMS } from '../http/problems.ts';

export const text = { type: 'string' } as const;
const line = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', format: 'date-time' } as const;
export const orNull = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });

const profile = {
  type: 'string',
  default: 'google',
  description: `The profile that decides how files are read: ${PROFILES.map(({ name }) => name).join(', ')}.`,
} as const;

const agent = {
  type: 'string',
  minLength: 1,
  description:
    'A crawler of the catalogue, any product token, a whole User-Agent header, or token:NAME for a bare token.',
} as const;

const agents = {
  type: 'array',
  items: { type: 'string' },
  description: 'Bare product tokens, in place of "agent": the union of their groups applies.',
} as const;

export const url = { type: 'string', description: 'An absolute http, https or ftp URL.' } as const;

export const decideQuery: object = {
  type: 'object',
  required: ['url', 'agent'],
  properties: { url, agent, profile },
} as const;

/** Without a default, which would override the profile of the query. */
const { default: _default, ...withoutDefault } = profile;
export const bodyProfile: object = withoutDefault;

/** `?agent=…&profile=…`, the defaults for the lines of a body. */
export const linesQuery: object = { type: 'object', properties: { agent, profile: bodyProfile } } as const;

/** `{"agent", "urls"}` or `{"agents", "urls"}` */
export const decideBody: object = {
  type: 'object',
  required: ['urls'],
  additionalProperties: false,
  properties: { agent, agents, profile: bodyProfile, urls: { type: 'array', items: { type: 'string' } } },
} as const;

/** What robots.txt means for a site. */
const policy = {
  type: 'object',
  required: ['kind'],
  properties: {
    kind: { ...text, enum: ['rules', 'allow-all', 'disallow-all', 'unknown'] },
    reason: { ...text, enum: ['unavailable', 'unreachable', 'outage-expired'] },
  },
} as const;

export const decision: object = {
  type: 'object',
  required: ['url', 'agent', 'profile', 'allowed', 'line', 'rule', 'kind', 'group', 'reason', 'policy'],
  properties: {
    url,
    agent: { ...text, description: 'The crawler that the name was resolved to.' },
    profile: text,
    allowed: { type: 'boolean' },
    line: { ...line, description: 'Line of the deciding rule, from 1; 0 if none matched.' },
    rule: orNull({ ...text, description: "The deciding rule's value." }),
    kind: orNull({ ...text, enum: ['allow', 'disallow'] }),
    group: { ...text, enum: ['own', 'global', 'none'] },
    reason: { ...text, description: 'The reason for the decision, such as "rule" or "no-group".' },
    policy,
    code: { ...text, description: 'Why there is no file, for programs; omitted if there is one.' },
    message: { ...text, description: 'The same for people.' },
    fetchedAt: orNull(time),
    expiresAt: time,
  },
} as const;

const noDecision = {
  type: 'object',
  required: ['url', 'agent', 'allowed', 'error'],
  properties: {
    url: orNull(text),
    agent: orNull(text),
    allowed: { type: 'null' },
    error: { type: 'object', required: ['code', 'message'], properties: { code: text, message: text } },
  },
} as const;

/** `{"robots"}` or `{"robotsBase64"}`, of which a file has one. */
const file = (name: string): object => ({
  [name]: { ...text, description: 'The file as text.' },
  [`${name}Base64`]: { ...text, description: 'The file as bytes, in base64.' },
});

export const fileBody: object = {
  type: 'object',
  additionalProperties: false,
  properties: { ...file('robots'), profile },
} as const;

/** A body with two files. */
export const filesBody: object = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...file('before'),
    ...file('after'),
    profile,
    agents: {
      type: 'array',
      items: agent,
      minItems: 1,
      maxItems: 1_000,
      description: 'Crawlers to compare for (default: all).',
    },
  },
} as const;

export const originQuery: object = {
  type: 'object',
  required: ['origin'],
  properties: {
    origin: { ...text, description: 'An origin such as https://example.com, or any URL of it.' },
    profile,
  },
} as const;

/** The crawlers that a report is about. */
export const crawlers: object = {
  type: 'array',
  items: agent,
  minItems: 1,
  maxItems: 60,
  description: 'Crawlers (default: the common ones).',
} as const;

export const pageBody: object = {
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    url: { ...text, description: 'An absolute http or https URL.' },
    agents: crawlers,
    profile: bodyProfile,
  },
} as const;

export const sampleBody: object = {
  type: 'object',
  required: ['origin'],
  additionalProperties: false,
  properties: {
    origin: { ...text, description: 'An origin such as https://example.com, or any URL of it.' },
    profile: bodyProfile,
  },
} as const;

export const problem: object = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: text,
    title: text,
    status: { type: 'integer' },
    detail: text,
    code: { ...text, enum: Object.keys(PROBLEMS) },
  },
} as const;

export const json = (description: string, schema: object): object => ({
  description,
  content: { 'application/json': { schema } },
});

/** Responses are not serialised by their schemas, which would drop other properties. */
export const serializerCompiler = (): typeof JSON.stringify => JSON.stringify;

const failure = {
  description: 'A problem document (RFC 9457).',
  content: { 'application/problem+json': { schema: problem } },
};

/** Error responses of every route. */
export const failures: object = { '4xx': failure, '5xx': failure };

export const decisionResponse: object = json('The verdict, and the response that it is based on.', decision);

export const decisionsResponse: object = {
  description: 'A verdict for each URL, in order; NDJSON for an NDJSON body.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['decisions'],
        properties: { decisions: { type: 'array', items: { anyOf: [decision, noDecision] } } },
      },
    },
    'application/x-ndjson': { schema: text },
  },
};

/** Creates the options of a route that responds with one report. @param input - the schema of its query or its body. */
export function createReportOptions(
  operationId: string,
  summary: string,
  input: { readonly querystring: object } | { readonly body: object },
  schema: object,
): { readonly schema: object; readonly serializerCompiler: typeof serializerCompiler } {
  return {
    serializerCompiler,
    schema: { operationId, summary, ...input, response: { 200: json(summary, schema), ...failures } },
  };
}

export const report = (description: string): object =>
  json(description, { type: 'object', additionalProperties: true });
