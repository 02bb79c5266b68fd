// The report of `maycrawl conformance serve --json` and of its /report.json. docs/crawler-conformance.schema.json follows from this
// description; a test compares them, and validates reports.
import { freezeDeep } from '@maycrawl/core/internal';
import { type JsonOf, toJsonSchema } from './json-schema.ts';

const DEFINITIONS = {
  Count: { type: 'integer', minimum: 0 },
  Paths: {
    type: 'array',
    items: {
      type: 'string',
      description: 'A path; `{other}` before it means the second origin of the site.',
    },
  },
  Requirement: {
    type: 'object',
    description: 'What the document requires after the last response to robots.txt.',
    properties: {
      forbidden: {
        type: 'string',
        enum: ['all', 'none', 'private'],
        description: 'The pages that must not be requested: all, none, or those that the file disallows.',
      },
      source: { type: 'string', description: "Section of RFC 9309 or of Google's page." },
      vector: {
        type: 'string',
        description:
          'The row of conformance/fetching.jsonl about the same response under the profile of the document.',
      },
    },
    optional: ['vector'],
    additionalProperties: false,
  },
  Judgement: {
    type: 'object',
    properties: {
      outcome: {
        type: 'string',
        enum: ['passed', 'over-cautious', 'failed', 'not-visited'],
        description:
          '`failed`: pages were requested that must not be. `over-cautious`: pages were not requested that may be, which no document forbids. `not-visited`: neither robots.txt nor the start page was requested.',
      },
      requirement: { $ref: '#/$defs/Requirement' },
      forbidden: {
        $ref: '#/$defs/Paths',
        description: 'Pages that were requested and must not be, at the time of the request.',
      },
      missed: { $ref: '#/$defs/Paths', description: 'Pages that may be requested and were not.' },
    },
    additionalProperties: false,
  },
  Scenario: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      title: { type: 'string', description: 'What is special about its robots.txt.' },
      url: { type: 'string', description: 'Of its start page.' },
      userAgents: {
        type: 'array',
        items: { type: 'string' },
        description: 'The User-Agent headers of the requests, as the crawler sent them.',
      },
      robotsRequests: { $ref: '#/$defs/Count', description: 'Requests for robots.txt.' },
      conditionalRequests: { $ref: '#/$defs/Count', description: 'Those with a validator.' },
      pageRequests: {
        $ref: '#/$defs/Count',
        description: 'Requests for pages; the start page does not count.',
      },
      otherRequests: { $ref: '#/$defs/Count', description: 'Requests for paths to which no page links.' },
      beforeRobots: { $ref: '#/$defs/Paths', description: 'Pages that were requested before robots.txt.' },
      earlyRequests: {
        $ref: '#/$defs/Count',
        description: 'Requests before the time of a `Retry-After` header.',
      },
      cached: {
        type: ['boolean', 'null'],
        description:
          'Whether one response was used for several pages; `null`: fewer than two requests for pages.',
      },
      rfc9309: { $ref: '#/$defs/Judgement', description: 'By RFC 9309.' },
      google: { $ref: '#/$defs/Judgement', description: "By Google's documentation." },
    },
    additionalProperties: false,
  },
  Report: {
    type: 'object',
    properties: { scenarios: { type: 'array', items: { $ref: '#/$defs/Scenario' } } },
    additionalProperties: false,
  },
} as const;

/** The schema of the report of `maycrawl conformance serve`. */
export const CONFORMANCE_REPORT: object = /* @__PURE__ */ freezeDeep(
  toJsonSchema(DEFINITIONS.Report, DEFINITIONS),
);

/** The report of `maycrawl conformance serve`. */
export type ConformanceReport = JsonOf<typeof DEFINITIONS.Report, typeof DEFINITIONS>;

/** The report about one scenario. */
export type ScenarioReport = JsonOf<typeof DEFINITIONS.Scenario, typeof DEFINITIONS>;

/** What a document requires. */
export type Requirement = JsonOf<typeof DEFINITIONS.Requirement, typeof DEFINITIONS>;
