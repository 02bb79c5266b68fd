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
    sections: ['audit'],
  },
  scope: {
    type: 'choice',
    placeholder: '<name>',
    choices: ['host', 'domain', 'prefix'],
    description: 'host: URLs of the host; domain: of its registrable domain; prefix: below the given URL',
    default: 'host',
    sections: ['audit'],
  },
  maxPages: {
    type: 'count',
    placeholder: '<count>',
    range: [1, undefined],
    description: 'maximum number of pages (default: unlimited)',
    sections: ['audit'],
  },
  maxDepth: {
    type: 'count',
    placeholder: '<count>',
    range: [0, undefined],
    description: 'maximum number of links from a start (default: unlimited)',
    sections: ['audit'],
  },
  concurrency: {
    type: 'count',
    placeholder: '<count>',
    range: AUDIT_RANGES.concurrency as NumberRange,
    description: 'maximum number of concurrent requests to one host',
    default: '8',
    sections: ['audit'],
  },
  delay: {
    type: 'duration',
    placeholder: '<time>',
    range: ['0s', '1h'],
    description: 'minimum time between requests to one host',
    default: '0s',
    sections: ['audit'],
  },
  crawlDelay: { type: 'flag', description: 'obey the Crawl-delay of the crawlers', sections: ['audit'] },
  include: {
    type: 'text',
    placeholder: '<pattern>',
    description: 'audit only paths that match this pattern of a rule',
    isList: true,
    sections: ['audit'],
  },
  exclude: {
    type: 'text',
    placeholder: '<pattern>',
    description: 'do not audit paths that match',
    isList: true,
    sections: ['audit'],
  },
} as const;
