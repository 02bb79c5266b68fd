// The JSON of `GET /v1/audits` and `GET /v1/audits/trend`.
import { freezeDeep } from '@maycrawl/core/internal';
import { COMMON } from './common.ts';
import { type JsonOf, toJsonSchema } from './json-schema.ts';

/** A page of the list of reports, the newest first. */
const LIST = {
  type: 'object',
  properties: {
    total: { type: 'integer' },
    page: { type: 'integer', description: 'From 1.' },
    pages: { type: 'integer' },
    reports: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          bytes: { type: 'integer' },
          writtenAt: { type: 'string', format: 'date-time' },
        },
      },
    },
  },
} as const;

/** The schema of the response of `GET /v1/audits`. */
export const AUDIT_LIST: object = /* @__PURE__ */ freezeDeep(toJsonSchema(LIST));

/** The response of `GET /v1/audits`. */
export type AuditList = JsonOf<typeof LIST, object>;

/** The definitions of trends. They refer to each other by `#/$defs/NAME`. */
const TRENDS = {
  /** What one run of an audit found: a point of a trend. It is also the file `summary.json` in the folder of the run. */
  RunPoint: {
    type: 'object',
    properties: {
      starts: { type: 'array', items: { type: 'string' }, description: 'The URLs where the audit began.' },
      startedAt: { type: 'string', format: 'date-time' },
      endedAt: { type: ['string', 'null'], format: 'date-time' },
      state: {
        type: 'string',
        enum: ['complete', 'limited', 'unfinished'],
        description:
          'Whether all URLs were fetched. `limited`: up to a limit of the settings; `unfinished`: interrupted, or the site failed.',
      },
      ending: { type: 'string', description: 'The state in a sentence.' },
      agents: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            agent: { type: 'string' },
            judged: { type: 'integer', description: 'URLs that have a verdict.' },
            indexable: { type: 'integer' },
            reasons: {
              type: 'object',
              description: 'URLs that are not indexable, by their primary reason.',
              properties: {
                blocked: { type: 'integer' },
                unreachable: { type: 'integer' },
                error: { type: 'integer' },
                redirect: { type: 'integer' },
                'not-found': { type: 'integer' },
                noindex: { type: 'integer' },
                canonicalised: { type: 'integer' },
              },
            },
            findings: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  code: { type: 'string' },
                  severity: { $ref: '#/$defs/Severity' },
                  count: { type: 'integer' },
                  title: { type: 'string' },
                },
              },
            },
          },
        },
      },
      comparedWith: { type: ['string', 'null'], description: 'The name of the earlier run of `changes`.' },
      changes: {
        type: 'array',
        description: 'What a scheduled audit has reported.',
        items: {
          type: 'object',
          properties: {
            kind: { type: 'string' },
            severity: { $ref: '#/$defs/Severity' },
            title: { type: 'string' },
          },
        },
      },
    },
  },
  NamedRunPoint: {
    allOf: [
      {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The folder of the run.' },
          hasReport: { type: 'boolean', description: 'Whether `/audits/NAME` is its report.' },
        },
      },
      { $ref: '#/$defs/RunPoint' },
    ],
  },
  Trend: {
    type: 'object',
    properties: {
      sites: {
        type: 'array',
        items: { type: 'string' },
        description: 'The starts of all audits of the folder.',
      },
      site: { type: ['string', 'null'], description: 'The one whose runs are listed.' },
      runs: {
        type: 'array',
        items: { $ref: '#/$defs/NamedRunPoint' },
        description: 'The oldest first; at most the last 400.',
      },
    },
  },
} as const;

/** The schema of the response of `GET /v1/audits/trend`. */
export const AUDIT_TREND: object = /* @__PURE__ */ freezeDeep(
  toJsonSchema(TRENDS.Trend, { ...COMMON, ...TRENDS }),
);

/** What one run of an audit found. */
export type RunPoint = JsonOf<(typeof TRENDS)['RunPoint'], typeof TRENDS & typeof COMMON>;
/** A point of a trend, with the name of its run. */
export type NamedRunPoint = JsonOf<(typeof TRENDS)['NamedRunPoint'], typeof TRENDS & typeof COMMON>;
/** The response of `GET /v1/audits/trend`. */
export type AuditTrend = JsonOf<(typeof TRENDS)['Trend'], typeof TRENDS & typeof COMMON>;
