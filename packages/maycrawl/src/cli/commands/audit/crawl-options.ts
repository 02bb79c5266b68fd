// Options of what is crawled and how, for an audit and for scheduled ones.
import type { NumberRange } from '@maycrawl/core/internal';
import { AUDIT_RANGES } from '../../../audit/plan.ts';

/** The options by name. */
export const CRAWL_OPTIONS = {
  agent: {
    type: 'text',
    placeholder: '<name>',
    description: 'a crawler to judge for',
    default: 'Googlebot',
    isList: true,
    isConfigurable: true,
  },
  scope: {
    type: 'choice',
    placeholder: '<name>',
    choices: ['host', 'domain', 'prefix'],
    description: 'host: URLs of the host; domain: of its registrable domain; prefix: below the given URL',
    default: 'host',
    isConfigurable: true,
  },
  maxPages: {
    type: 'count',
    placeholder: '<count>',
    range: [1, Number.POSITIVE_INFINITY] as NumberRange,
    description: 'maximum number of pages (default: unlimited)',
    isConfigurable: true,
  },
  maxDepth: {
    type: 'count',
    placeholder: '<count>',
    range: [0, Number.POSITIVE_INFINITY] as NumberRange,
    description: 'maximum number of links from a start (default: unlimited)',
    isConfigurable: true,
  },
  concurrency: {
    type: 'count',
    placeholder: '<count>',
    range: AUDIT_RANGES.concurrency as NumberRange,
    description: 'maximum number of concurrent requests to one host',
    default: '8',
    isConfigurable: true,
  },
  delay: {
    type: 'duration',
    placeholder: '<time>',
    range: ['0s', '1h'],
    description: 'minimum time between requests to one host',
    default: '0s',
    isConfigurable: true,
  },
  crawlDelay: { type: 'flag', description: 'obey the Crawl-delay of the crawlers', isConfigurable: true },
  include: {
    type: 'text',
    placeholder: '<pattern>',
    description: 'audit only paths that match this pattern of a rule',
    isList: true,
    isConfigurable: true,
  },
  exclude: {
    type: 'text',
    placeholder: '<pattern>',
    description: 'do not audit paths that match',
    isList: true,
    isConfigurable: true,
  },
} as const;
