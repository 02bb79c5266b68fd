/**
 * Options of what is crawled and how, for an audit and for scheduled ones.
 *
 * @module
 */
import { AUDIT_RANGES } from '../../../audit/plan.ts';
import type { ScopeKind } from '../../../audit/run/settings.ts';
import { choice, count, duration, flag, list, type OptionDescription, text } from '../../options/option.ts';

const ANY = Number.POSITIVE_INFINITY;

interface CrawlCommandOptions {
  readonly agent: OptionDescription<readonly string[]>;
  readonly scope: OptionDescription<ScopeKind>;
  readonly maxPages: OptionDescription<number>;
  readonly maxDepth: OptionDescription<number>;
  readonly concurrency: OptionDescription<number>;
  readonly delay: OptionDescription<number>;
  readonly crawlDelay: OptionDescription<boolean>;
  readonly include: OptionDescription<readonly string[]>;
  readonly exclude: OptionDescription<readonly string[]>;
}

/** The options by name. */
export const CRAWL_OPTIONS: CrawlCommandOptions = {
  agent: list(text('<name>', 'a crawler to judge for', { default: 'Googlebot' })),
  scope: choice(
    '<name>',
    ['host', 'domain', 'prefix'],
    'host: URLs of the host; domain: of its registrable domain; prefix: below the given URL',
    { default: 'host' },
  ),
  maxPages: count('<count>', [1, ANY], 'maximum number of pages (default: unlimited)'),
  maxDepth: count('<count>', [0, ANY], 'maximum number of links from a start (default: unlimited)'),
  concurrency: count(
    '<count>',
    AUDIT_RANGES.concurrency,
    'maximum number of concurrent requests to one host',
    {
      default: '8',
    },
  ),
  delay: duration('<time>', ['0s', '1h'], 'minimum time between requests to one host', { default: '0s' }),
  crawlDelay: flag('obey the Crawl-delay of the crawlers'),
  include: list(text('<pattern>', 'audit only paths that match this pattern of a rule')),
  exclude: list(text('<pattern>', 'do not audit paths that match')),
};
