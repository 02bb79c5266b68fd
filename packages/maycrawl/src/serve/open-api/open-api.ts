// What the OpenAPI document has besides the schemas of the routes: tags, and examples of requests and responses.
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { formatProblem, Problem, type ProblemCode } from '../http/problems.ts';
import { DECISION, FILE, ORIGIN } from './example-values.ts';
import { EVENT_STREAM } from './monitor-examples.ts';
import { RESPONSES } from './response-examples.ts';

/** Descriptions of the tags. The tag of a route follows from its path. */
const TAGS = {
  decisions: 'Whether crawlers may fetch URLs.',
  files: 'Reports about robots.txt files that the client sends.',
  sites: 'What the service requests of a site, and reports about it.',
  monitor: 'The sites that the monitor checks.',
  audits: 'Reports of audits.',
} as const;

const PATH_TAGS: readonly (readonly [string, keyof typeof TAGS])[] = [
  ['/v1/decide', 'decisions'],
  ['/v1/parse', 'files'],
  ['/v1/lint', 'files'],
  ['/v1/diff', 'files'],
  ['/v1/watch/', 'monitor'],
  ['/v1/audits', 'audits'],
  ['/v1/', 'sites'],
];

/** Examples of query parameters and headers, by name. */
const PARAMETERS: Readonly<Record<string, string>> = {
  url: `${ORIGIN}/private/report`,
  agent: 'Googlebot',
  profile: 'google',
  origin: ORIGIN,
  search: 'example',
  policy: 'rules',
  severity: 'error',
  limit: '50',
  number: '2',
  versions: '30',
  page: '1',
  site: `${ORIGIN}/`,
  'last-event-id': '42',
};

/** Examples of parameters whose meaning differs between operations, by operation and name. */
const OPERATION_PARAMETERS: Readonly<Record<string, string>> = {
  'GET /v1/watch/sites after': ORIGIN,
  'GET /v1/watch/events before': '2026-11-21T10:00:00.000Z',
  'GET /v1/watch/versions before': '30',
  'GET /v1/watch/compare before': '1',
  'GET /v1/watch/compare after': '2',
};

const SETTINGS = {
  every: 3_600_000,
  agents: ['Googlebot'],
  notify: [],
  severity: {},
} as const;

/** Examples of JSON bodies, by operation. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /v1/decide': { agent: 'Googlebot', urls: [`${ORIGIN}/`, `${ORIGIN}/private/report`] },
  'POST /v1/parse': { robots: FILE },
  'POST /v1/lint': { robots: FILE },
  'POST /v1/diff': { before: FILE, after: 'User-agent: *\nDisallow: /\n', agents: ['Googlebot'] },
  'POST /v1/page': { url: `${ORIGIN}/`, agents: ['Googlebot'] },
  'POST /v1/sample': { origin: ORIGIN },
  'POST /v1/preferences': { url: `${ORIGIN}/`, agents: ['GPTBot'], robots: FILE },
  'POST /v1/cache/invalidate': { origin: ORIGIN },
  'POST /v1/watch/sites': { origin: ORIGIN, ...SETTINGS },
  'POST /v1/watch/site': SETTINGS,
  'POST /v1/watch/test': { target: 'https://hooks.example.net/robots' },
};

/** An example of a body of lines. */
const LINES = `{"url":"${ORIGIN}/","agent":"Googlebot"}\n`;

const createProblem = (code: ProblemCode, detail: string): object =>
  JSON.parse(formatProblem(new Problem(code, detail)));
const REFUSAL = createProblem('invalid-request', "querystring must have required property 'agent'");
const FAILURE = createProblem('shutting-down', 'the service is shutting down');

type Content = Record<string, { example?: unknown }>;

/** The parts of an operation that get examples. */
interface Operation {
  tags?: string[];
  readonly parameters?: readonly { readonly name: string; example?: unknown }[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}

/** How the document describes tokens. */
const BEARER = { type: 'http', scheme: 'bearer' } as const;

/** Which tokens the service has. */
interface TokenKinds {
  readonly hasTokens: boolean;
  readonly hasInvalidateTokens: boolean;
}

/** Creates the options of the OpenAPI document. */
export function createOpenApiOptions({
  hasTokens,
  hasInvalidateTokens,
}: TokenKinds): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'maycrawl', description: 'May this crawler fetch this URL, and why?', version: 'v1' },
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          ...(hasTokens && { token: BEARER }),
          ...(hasInvalidateTokens && { invalidateToken: BEARER }),
        },
      },
      ...(hasTokens && { security: [{ token: [] }] }),
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject;
      const { openapiObject } = document;
      for (const [path, methods] of Object.entries(openapiObject.paths ?? {}))
        for (const [method, operation] of Object.entries(methods ?? {}))
          addExamples(path, method, operation as Operation);
      return openapiObject;
    },
  };
}

function addExamples(path: string, method: string, operation: Operation): void {
  const name = `${method.toUpperCase()} ${path}`;
  const [, tag] = PATH_TAGS.find(([start]) => path.startsWith(start)) ?? [];
  if (tag !== undefined) operation.tags = [tag];
  for (const parameter of operation.parameters ?? []) {
    const example = OPERATION_PARAMETERS[`${name} ${parameter.name}`] ?? PARAMETERS[parameter.name];
    if (example !== undefined) parameter.example = example;
  }
  const set = (content: Content | undefined, type: string, example: unknown): void => {
    const media = content?.[type];
    if (media !== undefined && example !== undefined) media.example = example;
  };
  set(operation.requestBody?.content, 'application/json', BODIES[name]);
  set(operation.requestBody?.content, 'application/x-ndjson', LINES);
  const { responses = {} } = operation;
  set(responses['200']?.content, 'application/json', RESPONSES[name]);
  set(responses['200']?.content, 'application/x-ndjson', `${JSON.stringify(DECISION)}\n`);
  set(responses['200']?.content, 'text/event-stream', EVENT_STREAM);
  set(responses['4XX']?.content, 'application/problem+json', REFUSAL);
  set(responses['5XX']?.content, 'application/problem+json', FAILURE);
}
