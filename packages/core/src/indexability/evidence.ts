/**
 * Whether a URL can be in a search index, and all that speaks for and against it: the evidence about one URL for one crawler.
 *
 * @module
 */
import type { CrawlerLike } from '../crawler/crawler.ts';
import type { Allowed, Disallowed } from '../model/verdict.ts';
import { type Canonical, decideCanonical } from './canonical.ts';
import type { PageFacts } from './page-facts.ts';
import { type Applied, addUpRules } from './rules.ts';

/** Why a URL is not indexable. The order is that in which one of several is the primary reason. */
export type Reason =
  /** The robots.txt forbids to fetch it. The URL may be indexed nevertheless, without its content. */
  | 'blocked'
  /** There was no answer. */
  | 'unreachable'
  /** The answer is no page: a status that none of the others stands for. */
  | 'error'
  | 'redirect'
  /** Status 404 or 410. */
  | 'not-found'
  | 'noindex'
  /** The page says that it is to be known by another URL. */
  | 'canonicalised';

/** All reasons, the one that is named first first. */
export const REASONS: readonly Reason[] = [
  ...(['blocked', 'unreachable', 'error', 'redirect', 'not-found'] as const),
  ...(['noindex', 'canonicalised'] as const),
];

/** Whether a URL is indexable. */
export type Indexability =
  | { readonly indexable: true }
  | {
      readonly indexable: false;
      /** The primary one: the first of all. */
      readonly reason: Reason;
      readonly reasons: readonly Reason[];
    };

/** One redirect on the way. */
export interface Redirect {
  readonly url: string;
  readonly status: number;
  readonly to: string | null;
}

/** What came of asking for a URL. */
export type Answer =
  | { readonly kind: 'page'; readonly page: PageFacts; readonly redirects: readonly Redirect[] }
  /** No answer, or none that could be read. */
  | { readonly kind: 'failure'; readonly detail: string };

/** How a URL was found. */
export type Discovery =
  | { readonly by: 'start' }
  | {
      readonly by: 'sitemap' | 'link' | 'redirect' | 'canonical' | 'alternate' | 'refresh';
      readonly url: string;
    };

interface Known {
  readonly url: string;
  readonly sitemaps: readonly string[];
  readonly found: readonly Discovery[];
  /** Links from the start; `null` if none leads there. */
  readonly depth: number | null;
}

/** The verdict of the robots.txt, as far as it matters here: any {@link Allowed} and {@link Disallowed} will do. */
type May<V extends Allowed | Disallowed> = Pick<V, 'kind' | 'because' | 'line'>;

/** What is known about one URL. Only one that the crawler may not fetch can go without an answer. */
export type Subject = Known &
  (
    | { readonly crawl: May<Allowed>; readonly answer: Answer }
    /** The answer, if there is one, is what somebody else got who may fetch it. */
    | { readonly crawl: May<Disallowed>; readonly answer: Answer | null }
  );

/** Something that the crawler has read, or that is hidden from it. */
export type Sight<T> = { readonly kind: 'seen'; readonly value: T } | { readonly kind: 'unseen' };

/** The evidence about one URL for one crawler. */
export interface Evidence extends Known {
  readonly crawl: May<Allowed> | May<Disallowed>;
  /** Whether there was an answer of any kind. */
  readonly reachable: Sight<boolean>;
  readonly status: Sight<number>;
  readonly redirects: Sight<readonly Redirect[]>;
  /** Why the page must not be indexed; empty if it may be. */
  readonly noindex: Sight<readonly Applied[]>;
  readonly canonical: Sight<Canonical>;
  readonly verdict: Indexability;
  /** What a block hides: reasons that would hold if the crawler could see them, as far as somebody else has. */
  readonly hidden: readonly Reason[];
}

const UNSEEN = { kind: 'unseen' } as const;

/**
 * Gathers the evidence and judges it.
 *
 * @param now - milliseconds since 1970: `unavailable_after` may have passed.
 * @throws {TypeError} if the URL may be fetched and there is no answer: then there is nothing to judge yet.
 */
export function judgePage(subject: Subject, crawler: CrawlerLike, now: number): Evidence {
  const { url, sitemaps, found, depth, crawl, answer } = subject;
  if (answer === null && crawl.kind === 'allowed')
    throw new TypeError(`nobody has asked for ${url}, which may be fetched`);
  const isBlocked = crawl.kind === 'disallowed';
  const page = answer?.kind === 'page' ? answer : null;
  const noindex = page === null ? [] : addUpRules(page.page.robots, crawler, now).noindex;
  const canonical = page === null ? null : decideCanonical(page.page.url, page.page.canonicals);
  const told = answer === null ? [] : reasonsIn(answer, noindex, canonical);
  const see = <T>(value: T | undefined): Sight<T> =>
    isBlocked || value === undefined ? UNSEEN : { kind: 'seen', value };
  return {
    ...{ url, sitemaps, found, depth, crawl },
    reachable: see(page !== null),
    status: see(page?.page.status),
    redirects: see(page?.redirects),
    noindex: see(page === null ? undefined : noindex),
    canonical: see(canonical ?? undefined),
    verdict: conclude(isBlocked ? ['blocked'] : told),
    hidden: isBlocked ? told : [],
  };
}

/** What the answer has against it, the primary reason first. */
function reasonsIn(answer: Answer, noindex: readonly Applied[], canonical: Canonical | null): Reason[] {
  if (answer.kind === 'failure') return ['unreachable'];
  const { status, location } = answer.page;
  const reasons: Reason[] = [];
  if (status === 404 || status === 410) reasons.push('not-found');
  else if (location !== null) reasons.push('redirect');
  else if (status !== 200) reasons.push('error');
  if (noindex.length > 0) reasons.push('noindex');
  if (canonical?.kind === 'other') reasons.push('canonicalised');
  return reasons;
}

function conclude(reasons: readonly Reason[]): Indexability {
  const [reason] = reasons;
  return reason === undefined ? { indexable: true } : { indexable: false, reason, reasons };
}
