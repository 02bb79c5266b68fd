// The JSON of `POST /v1/page`: what crawlers may do with one page, and what they find there. The command `check --page` prints the same.
import { freezeDeep } from '@maycrawl/core/internal';
import { COMMON } from './common.ts';
import { type JsonOf, toJsonSchema } from './json-schema.ts';

const DEFINITIONS = {
  TextOrNull: { type: ['string', 'null'] },
  CountOrNull: { type: ['integer', 'null'] },
  Reason: {
    type: 'string',
    enum: ['blocked', 'unreachable', 'error', 'redirect', 'not-found', 'noindex', 'canonicalised'],
  },
  Verdict: {
    type: 'object',
    properties: {
      agent: { type: 'string' },
      allowed: { type: ['boolean', 'null'], description: 'null: there is no verdict.' },
      line: { type: 'integer', description: 'Line of the deciding rule, from 1; 0 if none matched.' },
      rule: { type: ['string', 'null'], description: "The deciding rule's value." },
      reason: {
        type: 'string',
        description: 'The reason for the decision, such as "rule", or why no rule decides.',
      },
      message: { type: ['string', 'null'], description: 'Why there is no file, or no verdict, for people.' },
    },
  },
  Statement: {
    type: 'object',
    properties: {
      from: { type: 'string', enum: ['meta', 'header'] },
      agent: { type: ['string', 'null'], description: 'null: for every crawler.' },
      text: { type: 'string' },
      isDatePassed: {
        type: 'boolean',
        description: 'Whether it forbids indexing only because the date of its unavailable_after has passed.',
      },
    },
  },
  PageHop: {
    type: 'object',
    properties: {
      url: { type: 'string' },
      robotsTxt: { type: 'string', description: 'The URL of the robots.txt that decides.' },
      verdicts: { type: 'array', items: { $ref: '#/$defs/Verdict' } },
      problem: {
        anyOf: [
          {
            type: 'string',
            enum: [
              'disallowed',
              'disallowed-for-maycrawl',
              'no-verdict',
              'loop',
              'too-many-redirects',
              'url-too-long',
            ],
          },
          { type: 'null' },
        ],
        description: 'Why the URL was not requested, or what ended the redirects here.',
      },
      failure: {
        anyOf: [
          {
            type: 'object',
            properties: { code: { type: 'string' }, message: { type: 'string' } },
          },
          { type: 'null' },
        ],
        description: 'Why there is no response.',
      },
      status: { type: ['integer', 'null'], description: 'null: there is no response.' },
      type: { type: ['string', 'null'], description: 'The media type.' },
      location: { type: ['string', 'null'], description: 'The target of the redirect.' },
      bytes: { type: ['integer', 'null'], description: 'null: the body was not read, or not to its end.' },
      milliseconds: { $ref: '#/$defs/CountOrNull' },
    },
  },
  RobotsStatement: {
    type: 'object',
    properties: {
      from: { type: 'string', enum: ['meta', 'header'] },
      agent: { type: ['string', 'null'], description: 'null: for every crawler.' },
      text: { type: 'string' },
      noindexFor: {
        type: 'array',
        items: { type: 'string' },
        description: 'The crawlers that it forbids to index the page.',
      },
    },
  },
  Canonical: {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['absent', 'self', 'other', 'conflict'] },
      urls: { type: 'array', items: { type: 'string' }, description: 'Those of the statements that count.' },
      statements: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            from: { type: 'string', enum: ['html', 'header'] },
            href: { type: 'string', description: 'As written.' },
            url: { $ref: '#/$defs/TextOrNull' },
            ignored: { type: ['string', 'null'], description: 'Why it does not count, for people.' },
          },
        },
      },
    },
  },
  UseStatement: {
    type: 'object',
    properties: {
      from: { type: 'string', enum: ['header', 'meta', 'link', 'script'] },
      name: { type: 'string' },
      text: { type: 'string' },
      problem: { type: ['string', 'null'], description: 'Why it says nothing, for people.' },
    },
  },
  Page: {
    type: 'object',
    properties: {
      url: { type: 'string' },
      title: { $ref: '#/$defs/TextOrNull' },
      robots: { type: 'array', items: { $ref: '#/$defs/RobotsStatement' } },
      canonical: { $ref: '#/$defs/Canonical' },
      alternates: {
        type: 'array',
        description: 'Versions in other languages (hreflang).',
        items: {
          type: 'object',
          properties: { hreflang: { type: 'string' }, url: { type: 'string' } },
        },
      },
      use: {
        type: 'array',
        description: 'What the headers and the HTML say about the use of the content.',
        items: { $ref: '#/$defs/UseStatement' },
      },
      refresh: { type: ['string', 'null'], description: 'The target of a refresh.' },
      refreshAfter: { type: ['integer', 'null'], description: 'The delay of the refresh in seconds.' },
      isTruncated: { type: 'boolean', description: 'Whether a part of the page or of a list is missing.' },
    },
  },
  Resources: {
    type: 'object',
    properties: {
      total: { type: 'integer', description: 'Scripts, style sheets and images that the page names.' },
      hosts: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            origin: { type: 'string' },
            problem: { type: ['string', 'null'], description: 'Why there are no verdicts.' },
            resources: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  kind: { type: 'string', enum: ['script', 'style', 'image'] },
                  url: { type: 'string' },
                  blockedFor: { type: 'array', items: { $ref: '#/$defs/Verdict' } },
                },
              },
            },
          },
        },
      },
    },
  },
  CrawlerResult: {
    type: 'object',
    properties: {
      agent: { type: 'string' },
      result: {
        anyOf: [{ type: 'string', enum: ['indexable', 'unknown'] }, { $ref: '#/$defs/Reason' }],
        description:
          'Whether the crawler may fetch and index the page at the end of the redirects, or the primary reason why not.',
      },
      hop: { type: 'integer', description: 'Index of the URL at which the redirects end for the crawler.' },
      reasons: { type: 'array', items: { $ref: '#/$defs/Reason' } },
      maskedReasons: {
        type: 'array',
        items: { $ref: '#/$defs/Reason' },
        description: 'Further reasons, which the crawler cannot see because it may not fetch the page.',
      },
      noindex: { type: 'array', items: { $ref: '#/$defs/Statement' } },
      blockedResources: {
        type: 'object',
        properties: {
          script: { type: 'integer' },
          style: { type: 'integer' },
          image: { type: 'integer' },
        },
      },
      text: { type: 'string', description: 'The result in sentences. They can quote what the site sent.' },
    },
  },
} as const;

const REPORT = {
  type: 'object',
  properties: {
    url: { type: 'string' },
    profile: { type: 'string' },
    checkedAt: { $ref: '#/$defs/Time' },
    agents: { type: 'array', items: { $ref: '#/$defs/CrawlerResult' } },
    hops: {
      type: 'array',
      items: { $ref: '#/$defs/PageHop' },
      description: 'The URL, and the targets of its redirects.',
    },
    page: {
      anyOf: [{ $ref: '#/$defs/Page' }, { type: 'null' }],
      description: 'What the last response says about the page; null without a response, and for a redirect.',
    },
    resources: {
      anyOf: [{ $ref: '#/$defs/Resources' }, { type: 'null' }],
      description: 'null if no page was read.',
    },
  },
} as const;

type Definitions = typeof COMMON & typeof DEFINITIONS;

/** The schema of the response of `POST /v1/page`. */
export const PAGE_REPORT: object = /* @__PURE__ */ freezeDeep(
  toJsonSchema(REPORT, { ...COMMON, ...DEFINITIONS }),
);

/** The response of `POST /v1/page`. */
export type PageReport = JsonOf<typeof REPORT, Definitions>;

/** A part of the response by its name. */
export type PageJson<Name extends keyof typeof DEFINITIONS> = JsonOf<(typeof DEFINITIONS)[Name], Definitions>;
