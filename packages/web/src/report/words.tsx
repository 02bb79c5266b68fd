/**
 * Reasons, states and decisions in words. A colour is never alone.
 *
 * @module
 */
import type { JSX } from 'preact';
import { REASONS, type Reason, type State, type Verdict } from './data/head.ts';

/** What is said about a URL for one crawler, in one word. */
export type Standing = 'indexable' | Reason | 'unjudged';

export const STANDINGS: readonly Standing[] = ['indexable', ...REASONS, 'unjudged'];

const WORDS: Readonly<Record<Standing, string>> = {
  indexable: 'indexable',
  blocked: 'blocked',
  unreachable: 'unreachable',
  error: 'error',
  redirect: 'redirect',
  'not-found': 'not found',
  noindex: 'noindex',
  canonicalised: 'canonicalised',
  unjudged: 'not judged',
};

export const MEANINGS: Readonly<Record<Standing, string>> = {
  indexable: 'May be fetched, answers 200, forbids nothing and is its own canonical.',
  blocked:
    'The robots.txt forbids to fetch it. The URL can be indexed all the same, without its content; what the page says is not seen.',
  unreachable: 'There was no answer.',
  error: 'The answer is no page: a server error, a refusal, or a redirect that leads nowhere.',
  redirect: 'It leads to another URL, which is the one that can be indexed.',
  'not-found': 'Status 404 or 410.',
  noindex: 'The page or a header says that it must not be indexed.',
  canonicalised: 'The page says that it is to be known by another URL.',
  unjudged: 'The crawl has not come to it, or it is none of what is audited.',
};

const SHAPES: Readonly<Record<Standing, string>> = {
  indexable: 'm3.5 8.5 3 3 6-7',
  blocked: 'm4.5 4.5 7 7m0-7-7 7',
  unreachable: 'M3 8h2m2 0h2m2 0h2',
  error: 'M8 3v6M8 12v.6',
  redirect: 'M3 8h9m-4-4 4 4-4 4',
  'not-found': 'M5 6a3 3 0 1 1 4 3q-1 .5-1 1.5M8 12.5v.6',
  noindex: 'M3.5 8h9',
  canonicalised: 'M3 4v4h9m-3-3 3 3-3 3',
  unjudged: 'M8 8h.1',
};

export function wordOf(standing: Standing): string {
  return WORDS[standing];
}

/** What a verdict comes to. */
export function standingOf(verdict: Verdict | null): Standing {
  if (verdict === null) return 'unjudged';
  return reasonsIn(verdict[0])[0] ?? 'indexable';
}

/** Reasons out of a sum, the primary one first. */
export function reasonsIn(sum: number): Reason[] {
  return REASONS.filter((_, bit) => (sum & (1 << bit)) !== 0);
}

/** A standing as a shape and a word. */
export function Badge({ standing }: { readonly standing: Standing }): JSX.Element {
  return (
    <span class={`badge ${standing}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={SHAPES[standing]} />
      </svg>
      {WORDS[standing]}
    </span>
  );
}

export const STATE_WORDS: Readonly<Record<State, string>> = {
  waiting: 'waiting: the crawl has not come to it',
  asked: 'asked for',
  blocked: 'not asked for: the robots.txt forbids it to all crawlers of the run, or to maycrawl',
  outside: 'outside of what is audited',
  trap: 'left out: there seems to be no end of URLs like it',
  deep: 'left out: too many links from the start',
};

const REASON_WORDS: Readonly<Record<string, string>> = {
  rule: 'the rule that matches best',
  'no-rule-matched': 'no rule of its group matches',
  'no-group': 'no group is for this crawler',
  'robots-txt': 'robots.txt itself may always be fetched',
  'crawler-exempt': 'this crawler ignores robots.txt',
  absent: 'the site has no robots.txt',
  unreachable: 'the robots.txt could not be read, which forbids everything',
  'outage-expired': 'the robots.txt could not be read for so long that it forbids nothing any more',
};

/** Why robots.txt decides as it does. */
export function describeReason(reason: string): string {
  return REASON_WORDS[reason] ?? reason;
}

/** Ways by which a page leads to a URL, as bits (run/link-list.ts). */
const WAYS = ['link', 'nofollow link', 'redirect', 'refresh', 'canonical', 'hreflang', 'next/prev'] as const;

export function waysOf(ways: number): string {
  return WAYS.filter((_, bit) => (ways & (1 << bit)) !== 0).join(', ');
}

export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
