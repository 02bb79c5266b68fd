// Whether a URL is indexable: the evidence about one URL for one crawler, and the verdict.
import { freezeDeep } from '../bytes/freeze.ts';
import type { CrawlerInput } from '../crawler/crawler.ts';
import type { Allowed, Disallowed } from '../model/verdict.ts';
import { type Canonical, decideCanonical } from './canonical.ts';
import { findRedirectTarget, type PageFacts } from './page-facts.ts';
import { type AppliedDirective, combineDirectives } from './rules.ts';

/** Why a URL is not indexable, in order of priority: the first of several reasons is the primary one. */
export type Reason =
  /** The robots.txt disallows the URL. It can still be indexed without its content. */
  | 'blocked'
  /** There was no response. */
  | 'unreachable'
  /** The response has a status that none of the other reasons covers. */
  | 'error'
  | 'redirect'
  /** Status 404 or 410. */
  | 'not-found'
  | 'noindex'
  /** The page has another canonical URL. */
  | 'canonicalised';

/** All reasons in order of priority. */
export const REASONS: readonly Reason[] = /* @__PURE__ */ freezeDeep([
  ...(['blocked', 'unreachable', 'error', 'redirect', 'not-found'] as const),
  ...(['noindex', 'canonicalised'] as const),
]);

/** Whether a URL is indexable. */
export type Indexability =
  | { readonly indexable: true }
  | {
      readonly indexable: false;
      /** The primary reason: the first of `reasons`. */
      readonly reason: Reason;
      readonly reasons: readonly Reason[];
    };

/** One redirect of a chain. */
export interface Redirect {
  readonly url: string;
  readonly status: number;
  readonly to: string | null;
}

/** The result of fetching a URL. */
export type FetchOutcome =
  | { readonly kind: 'page'; readonly page: PageFacts; readonly redirects: readonly Redirect[] }
  /** No response, or one that could not be read. */
  | { readonly kind: 'failure'; readonly detail: string };

/** How a URL was discovered. */
export type Discovery =
  | { readonly by: 'start' }
  | {
      readonly by: 'sitemap' | 'link' | 'redirect' | 'canonical' | 'alternate' | 'refresh';
      readonly url: string;
    };

interface UrlContext {
  readonly url: string;
  readonly sitemaps: readonly string[];
  readonly found: readonly Discovery[];
  /** Number of links from the start page; `null` if no link path leads to the URL. */
  readonly depth: number | null;
}

/** The part of the robots.txt verdict that matters here: any {@link Allowed} or {@link Disallowed} is assignable. */
type RobotsVerdict<V extends Allowed | Disallowed> = Pick<V, 'kind' | 'reason' | 'line'>;

/** What is known about one URL. `outcome` can be `null` only if the crawler may not fetch the URL. */
export type PageSubject = UrlContext &
  (
    | { readonly crawl: RobotsVerdict<Allowed>; readonly outcome: FetchOutcome }
    /** The result of another crawler that may fetch the URL, if there is one. */
    | { readonly crawl: RobotsVerdict<Disallowed>; readonly outcome: FetchOutcome | null }
  );

/** A fact that the crawler has read (`seen`), or cannot know (`unseen`). */
export type Observation<T> = { readonly kind: 'seen'; readonly value: T } | { readonly kind: 'unseen' };

/** The evidence about one URL for one crawler. */
export interface PageEvidence extends UrlContext {
  readonly crawl: RobotsVerdict<Allowed> | RobotsVerdict<Disallowed>;
  /** Whether there was a response. */
  readonly reachable: Observation<boolean>;
  readonly status: Observation<number>;
  readonly redirects: Observation<readonly Redirect[]>;
  /** The directives that forbid indexing; empty if indexing is allowed. */
  readonly noindex: Observation<readonly AppliedDirective[]>;
  readonly canonical: Observation<Canonical>;
  readonly verdict: Indexability;
  /** Reasons that apply but that the crawler cannot see, because the robots.txt disallows the URL. */
  readonly maskedReasons: readonly Reason[];
}

const UNSEEN = /* @__PURE__ */ Object.freeze({ kind: 'unseen' } as const);

/**
 * Collects the evidence about a URL and derives the verdict.
 *
 * @param now - milliseconds since the Unix epoch, for `unavailable_after`.
 * @throws {TypeError} if the URL is allowed and `outcome` is `null`.
 */
export function evaluatePage(subject: PageSubject, crawler: CrawlerInput, now: number): PageEvidence {
  const { url, sitemaps, found, depth, crawl, outcome } = subject;
  if (outcome === null && crawl.kind === 'allowed')
    throw new TypeError(`missing fetch result for ${url}, which is allowed`);
  const isBlocked = crawl.kind === 'disallowed';
  const page = outcome?.kind === 'page' ? outcome : null;
  const noindex = page === null ? [] : combineDirectives(page.page.robots, crawler, now).noindex;
  const canonical = page === null ? null : decideCanonical(page.page.url, page.page.canonicals);
  const reasons = outcome === null ? [] : findReasons(outcome, noindex, canonical);
  const toObservation = <T>(value: T | undefined): Observation<T> =>
    isBlocked || value === undefined ? UNSEEN : { kind: 'seen', value };
  return {
    ...{ url, sitemaps, found, depth, crawl },
    reachable: toObservation(page !== null),
    status: toObservation(page?.page.status),
    redirects: toObservation(page?.redirects),
    noindex: toObservation(page === null ? undefined : noindex),
    canonical: toObservation(canonical ?? undefined),
    verdict: toVerdict(isBlocked ? ['blocked'] : reasons),
    maskedReasons: isBlocked ? reasons : [],
  };
}

function findReasons(
  outcome: FetchOutcome,
  noindex: readonly AppliedDirective[],
  canonical: Canonical | null,
): Reason[] {
  if (outcome.kind === 'failure') return ['unreachable'];
  const { status, url } = outcome.page;
  const reasons: Reason[] = [];
  if (status === 404 || status === 410) reasons.push('not-found');
  else if (findRedirectTarget(outcome.page, url) !== null) reasons.push('redirect');
  else if (status !== 200) reasons.push('error');
  if (noindex.length > 0) reasons.push('noindex');
  if (canonical?.kind === 'other') reasons.push('canonicalised');
  return reasons;
}

function toVerdict(reasons: readonly Reason[]): Indexability {
  const [reason] = reasons;
  return reason === undefined ? { indexable: true } : { indexable: false, reason, reasons };
}
