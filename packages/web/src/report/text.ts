// The phrases and sentences of the report, apart from titles of sections and fields.
import {
  describeDetail,
  type FindingCode,
  LINK_TYPES,
  REASON_TEXTS,
  type ReasonText,
  type ReportHead,
  type UrlState,
} from 'maycrawl/api';
import { formatCount, formatMilliseconds } from '../shared/text.ts';
import { visible } from '../shared/visible.ts';
import type { Outcome } from './data/outcome.ts';
import type { Use } from './data/use.ts';

/** What a verdict is called, and what it means, for the counts of URLs: the sentence about one URL is in sentences.ts. */
export const OUTCOME_TEXTS: Readonly<Record<Outcome, Pick<ReasonText, 'label' | 'description'>>> = {
  indexable: {
    label: 'indexable',
    description: 'Allowed, with status 200, and nothing forbids indexing or names another canonical.',
  },
  ...REASON_TEXTS,
  unjudged: { label: 'not judged', description: 'The crawl did not reach it, or it is out of scope.' },
};

export const USE_LABELS: Readonly<Record<Exclude<Use, 'none'>, string>> = {
  allowed: 'allowed',
  disallowed: 'disallowed',
  unknown: 'not declared',
  'not-applicable': 'not applicable',
};

export const FORMAT_LABELS: Readonly<Record<string, string>> = {
  'content-usage': 'Content-Usage',
  'content-signal': 'Content-Signal',
  rsl: 'RSL licences',
  tdmrep: 'TDM Reservation Protocol',
  'policy-token': 'policy tokens',
  page: 'robots directives',
};

/** What findings leave open if the run is not complete. */
export const INCOMPLETE =
  'The crawl is not complete: URLs that it did not fetch have no findings. Indexable pages that are in no sitemap, and URLs in sitemaps without links, are not searched for in an incomplete run.';

export const STATE_LABELS: Readonly<Record<UrlState, string>> = {
  waiting: 'waiting',
  fetched: 'fetched',
  blocked: 'blocked',
  outside: 'out of scope',
  'crawl-trap': 'crawl trap',
  'too-deep': 'too deep',
};

export const STATE_DESCRIPTIONS: Readonly<Record<UrlState, string>> = {
  waiting: 'waiting: the crawl did not reach it',
  fetched: 'fetched',
  blocked: 'not fetched: disallowed for all crawlers of the run, or for maycrawl',
  outside: 'out of scope',
  'crawl-trap': 'omitted: an endless series of similar URLs',
  'too-deep': 'omitted: too many links from the start',
};

const DECISIONS: Readonly<Record<string, string>> = {
  rule: 'the longest matching rule',
  'no-rule-matched': 'no rule of its group matches',
  'no-group': 'no group applies to this crawler',
  'robots-txt': 'robots.txt itself is always allowed',
  'crawler-exempt': 'this crawler ignores robots.txt',
  unavailable: 'the site has no robots.txt',
  unreachable: 'the robots.txt is unreachable, so everything is disallowed',
  'outage-expired': 'the robots.txt has been unreachable beyond the limit, so everything is allowed',
};

/** Why robots.txt decides as it does. @param reason - a code, which is shown if it is unknown. */
export function describeDecision(reason: string): string {
  return DECISIONS[reason] ?? reason;
}

const LINK_TYPE_NAMES: Readonly<Record<keyof typeof LINK_TYPES, string>> = {
  link: 'link',
  nofollow: 'nofollow link',
  redirect: 'redirect',
  refresh: 'refresh',
  canonical: 'canonical',
  alternate: 'hreflang',
  neighbour: 'next/prev',
  rendered: 'added by scripts',
};

/** "link, canonical" @param types - a sum of bits (LINK_TYPES). */
export function formatLinkTypes(types: number): string {
  return (Object.keys(LINK_TYPES) as (keyof typeof LINK_TYPES)[])
    .filter((name) => (types & LINK_TYPES[name]) !== 0)
    .map((name) => LINK_TYPE_NAMES[name])
    .join(', ');
}

/** "linked from one page", "linked from 12 pages, such as" @param shown - pages that are listed after it. */
export function describeLinkCount(count: number, shown: number): string {
  const pages = count === 1 ? 'one page' : formatCount(count, 'page');
  return `linked from ${pages}${count > shown ? ', such as' : ''}`;
}

/** The detail of findings, which groups them, as text to show. */
export function formatDetail(code: FindingCode, detail: string): string {
  return code === 'listed-not-indexable'
    ? (OUTCOME_TEXTS[detail as Outcome]?.label ?? visible(detail, 120))
    : visible(describeDetail(code, detail), 120);
}

/** "2 links", from a start. @param depth - negative: no path of links. */
export function describeDepth(depth: number): string {
  return depth < 0 ? 'not linked from a start' : formatCount(depth, 'link');
}

/** "host, at most 20 pages, at most 3 links deep, include /a, exclude /b" */
export function describeScope({
  scope,
  maxPages,
  maxDepth,
  include,
  exclude,
}: ReportHead['settings']): string {
  const parts: string[] = [scope];
  if (maxPages !== null) parts.push(`at most ${formatCount(maxPages, 'page')}`);
  if (maxDepth !== null) parts.push(`at most ${formatCount(maxDepth, 'link')} deep`);
  if (include.length > 0) parts.push(`include ${visible(include.join(' '))}`);
  if (exclude.length > 0) parts.push(`exclude ${visible(exclude.join(' '))}`);
  return parts.join(', ');
}

/** "text/html, 1,234 bytes, 56 ms" */
export function describeResponse(type: string | null, bytes: number | null, milliseconds: number): string {
  return [
    type === null ? 'no media type' : visible(type),
    ...(bytes === null ? [] : [formatCount(bytes, 'byte')]),
    formatMilliseconds(milliseconds),
  ].join(', ');
}
