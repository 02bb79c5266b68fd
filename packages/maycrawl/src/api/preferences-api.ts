// The JSON of `POST /v1/preferences`: how crawlers may use the content of a URL, by everything that its site declares. The reports are
// those of `readPreferences`.
import { freezeDeep } from '@maycrawl/core/internal';
import { COMMON } from './common.ts';
import { type JsonOf, toJsonSchema } from './json-schema.ts';

const DEFINITIONS = {
  Format: {
    type: 'string',
    enum: ['content-usage', 'content-signal', 'rsl', 'tdmrep', 'policy-token', 'page'],
  },
  Source: { type: 'string', enum: ['robots.txt', 'header', 'meta', 'html', 'tdmrep.json', 'rsl'] },
  Value: { type: 'string', enum: ['allowed', 'disallowed', 'unknown', 'not-applicable'] },
  Statement: {
    type: 'object',
    optional: ['countsUnder'],
    properties: {
      format: { $ref: '#/$defs/Format' },
      dialect: { type: ['string', 'null'] },
      source: { $ref: '#/$defs/Source' },
      name: { type: ['string', 'null'] },
      label: { type: 'string' },
      purpose: { type: 'string' },
      value: { type: 'string', enum: ['allowed', 'disallowed', 'unknown'] },
      text: { type: 'string' },
      line: { type: ['integer', 'null'] },
      column: { type: ['integer', 'null'] },
      agents: { type: ['array', 'null'], items: { type: 'string' } },
      path: { type: ['string', 'null'] },
      countsUnder: {
        type: 'array',
        items: { type: 'string' },
        description: 'The readings under which the statement counts; omitted in conflicts.',
      },
    },
  },
} as const;

const REPORTS = {
  type: 'object',
  optional: ['code', 'message', 'fetchedAt', 'expiresAt', 'sources'],
  properties: {
    url: { type: 'string' },
    profile: { type: 'string' },
    policy: { $ref: '#/$defs/Policy' },
    code: {
      type: 'string',
      description: 'Why there is no robots.txt, for programs; omitted if there is one.',
    },
    message: { type: 'string', description: 'The same for people.' },
    fetchedAt: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When the robots.txt was fetched; omitted if the request contains it, like "expiresAt".',
    },
    expiresAt: { type: ['string', 'null'], format: 'date-time' },
    reports: {
      type: 'array',
      description: 'One for each crawler.',
      items: {
        type: 'object',
        properties: {
          agent: { type: 'string', description: 'The crawler that the name was resolved to.' },
          url: { type: 'string' },
          crawl: { type: 'string', enum: ['allowed', 'disallowed', 'out-of-scope'] },
          purposes: {
            type: 'object',
            description: 'By purpose: "search", "ai-train", "ai-input", and others that are declared.',
            additionalProperties: {
              type: 'object',
              properties: {
                value: { $ref: '#/$defs/Value' },
                format: { anyOf: [{ $ref: '#/$defs/Format' }, { type: 'null' }] },
                line: { type: ['integer', 'null'], description: 'The line of the deciding statement.' },
                readings: { type: 'object', additionalProperties: { $ref: '#/$defs/Value' } },
                statements: { type: 'array', items: { $ref: '#/$defs/Statement' } },
              },
            },
          },
          licenses: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                url: { type: 'string' },
                source: { type: 'string', enum: ['robots.txt', 'header', 'html'] },
                line: { type: ['integer', 'null'] },
              },
            },
          },
          promises: {
            type: 'array',
            description:
              'Who promised to honour the statements that refuse a use. A refusal is a request: the crawler may still fetch the URL if "crawl" is "allowed".',
            items: {
              type: 'object',
              properties: {
                operator: { type: 'string' },
                format: { $ref: '#/$defs/Format' },
                label: { type: 'string' },
                purposes: { type: 'array', items: { type: 'string' } },
                crawlers: {
                  type: ['array', 'null'],
                  items: { type: 'string' },
                  description: 'Product tokens; null: all crawlers of the operator.',
                },
                status: {
                  type: 'string',
                  enum: ['documented', 'announced'],
                  description: '"announced": the operator only intends to.',
                },
                source: { type: ['string', 'null'], description: 'The page of the operator.' },
                date: {
                  type: ['string', 'null'],
                  description: 'When the page was read or published: a year, month or day.',
                },
              },
            },
          },
          unpromised: {
            type: 'array',
            description: 'The formats of refusals that no operator is known to honour.',
            items: { $ref: '#/$defs/Format' },
          },
          conflicts: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                code: {
                  type: 'string',
                  enum: ['formats-disagree', 'sources-disagree', 'readings-differ', 'use-without-crawl'],
                },
                purpose: { type: 'string' },
                message: { type: 'string' },
                statements: { type: 'array', items: { $ref: '#/$defs/Statement' } },
              },
            },
          },
          problems: {
            type: 'array',
            description: 'What was not read of the sources, which can contain a refusal.',
            items: {
              type: 'object',
              properties: {
                source: { $ref: '#/$defs/Source' },
                name: {
                  type: ['string', 'null'],
                  description:
                    'The URL of the RSL document, "script" for one in the page, or the name of a header or meta element.',
                },
                line: { type: ['integer', 'null'] },
                reason: { type: 'string', description: 'For people.' },
              },
            },
          },
        },
      },
    },
    sources: {
      type: 'object',
      description: 'What the service requested, if "fetch" is true: the parts that can state preferences.',
      properties: {
        headers: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, value: { type: 'string' } },
          },
        },
        metas: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, content: { type: 'string' } },
          },
        },
        tdmrep: { type: ['string', 'null'], description: 'null: there is no tdmrep.json.' },
        problems: {
          type: 'array',
          description: 'What was not read.',
          items: {
            type: 'object',
            properties: {
              source: { type: 'string', enum: ['page', 'tdmrep.json'] },
              url: { type: 'string' },
              message: { type: 'string', description: 'The reason, for people.' },
            },
          },
        },
      },
    },
    isTruncated: {
      type: 'boolean',
      description:
        'Whether lists of statements, licences, conflicts or meta elements lack items. The values are complete.',
    },
  },
} as const;

/** The schema of the response of `POST /v1/preferences`. */
export const PREFERENCE_REPORTS: object = /* @__PURE__ */ freezeDeep(
  toJsonSchema(REPORTS, { ...COMMON, ...DEFINITIONS }),
);

/** The response of `POST /v1/preferences`. */
export type PreferenceReports = JsonOf<typeof REPORTS, typeof COMMON & typeof DEFINITIONS>;
