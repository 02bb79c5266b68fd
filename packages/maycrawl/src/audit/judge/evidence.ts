// The evidence about the URLs of a run, made of what it has kept.
import {
  type Discovery,
  evaluatePage,
  type FetchOutcome,
  findRedirectTarget,
  type PageEvidence,
  type Redirect,
} from '@maycrawl/core/indexability';
import { LINK_TYPES } from '../run/records/link-list.ts';
import type { Page, UrlRecord } from '../run/records/page.ts';
import type { StoredUrl, UrlState } from '../run/records/url.ts';
import type { RunStore } from '../run/run-store.ts';
import { RenderedDirectives } from './rendered-directives.ts';
import type { RunPolicies } from './run-policies.ts';

/** Maximum number of redirects in the evidence. */
const MAX_CHAIN = 20;

/** A URL without a verdict: it is waiting, or outside the audit. */
export interface Unjudged {
  readonly kind: 'unjudged';
  readonly url: string;
  readonly state: StoredUrl['state'];
  readonly stateReason: string | null;
}

/** The evidence, for one crawler. */
export type Judged = { readonly kind: 'judged'; readonly page: Page | null } & PageEvidence;

/** Whether URLs in a state can have verdicts. */
export function isJudged(state: UrlState): boolean {
  return state !== 'outside' && state !== 'crawl-trap' && state !== 'too-deep';
}

/** Creates the evidence about URLs. */
export class EvidenceReader {
  readonly #run: RunStore;
  readonly #robots: RunPolicies;
  readonly #now: number;
  readonly #directives: RenderedDirectives;
  /** URLs of sitemaps by id. */
  #sitemaps: ReadonlyMap<number, string> | undefined;

  /** @param now - milliseconds since 1970: `unavailable_after` may have passed. */
  constructor(run: RunStore, robots: RunPolicies, now: number) {
    this.#run = run;
    this.#robots = robots;
    this.#now = now;
    this.#directives = new RenderedDirectives(run);
  }

  /**
   * What is known of a URL, for one of the run's crawlers.
   *
   * @param found - how the URL was found, as far as the caller knows; that it is a start or in sitemaps is added.
   */
  evidence(url: UrlRecord, agent: number, found: readonly Discovery[] = []): Judged | Unjudged {
    return isJudged(url.state) ? this.#judge(url, agent, found) : toUnjudged(url);
  }

  /** The same for the target of a redirect or a canonical, which may be outside the audit. */
  targetEvidence(url: UrlRecord, agent: number): Judged | Unjudged {
    return this.#judge(url, agent, []);
  }

  #judge(url: UrlRecord, agent: number, found: readonly Discovery[]): Judged | Unjudged {
    const { page } = url;
    const crawl = this.#robots.decide(url.url, agent);
    if (crawl === undefined) return toUnjudged(url);
    const sitemaps = this.#getSitemaps(url);
    const known = {
      url: url.url,
      sitemaps,
      found: [
        ...(url.isStart ? [{ by: 'start' } as const] : []),
        ...sitemaps.map((sitemap) => ({ by: 'sitemap', url: sitemap }) as const),
        ...found,
      ],
      depth: url.depth,
    };
    const outcome = page === null ? null : this.#readOutcome(url, page, agent);
    const crawler = this.#robots.crawler(agent);
    if (crawl.kind === 'disallowed')
      return { kind: 'judged', page, ...evaluatePage({ ...known, crawl, outcome }, crawler, this.#now) };
    // Not fetched yet.
    if (outcome === null) return toUnjudged(url);
    return { kind: 'judged', page, ...evaluatePage({ ...known, crawl, outcome }, crawler, this.#now) };
  }

  #getSitemaps({ inSitemaps }: UrlRecord): string[] {
    if (inSitemaps.length === 0) return [];
    this.#sitemaps ??= new Map(this.#run.sitemaps.list().map(({ id, url }) => [id, url]));
    return inSitemaps.flatMap((id) => this.#sitemaps?.get(id) ?? []);
  }

  #readOutcome({ key, url }: StoredUrl, { outcome }: Page, agent: number): FetchOutcome {
    if (outcome.kind === 'failure') return { kind: 'failure', detail: outcome.detail };
    const withScripts = this.#robots.runsScripts(agent);
    const robots = this.#directives.addRendered(key, outcome.facts.robots, withScripts);
    const page = { ...outcome.facts, robots, url, links: [], resources: [] };
    const isRedirect = findRedirectTarget(outcome.facts, url) !== null;
    const redirects = isRedirect ? this.#readRedirects(key, url, agent) : [];
    return { kind: 'page', page, redirects };
  }

  /** Reads the redirects from a URL, up to another response, a URL that the crawler may not fetch, or a loop. */
  #readRedirects(key: number, url: string, agent: number): Redirect[] {
    const chain: Redirect[] = [];
    const seen = new Set<number>();
    for (let [at, from]: [number, string] = [key, url]; chain.length < MAX_CHAIN && !seen.has(at); ) {
      seen.add(at);
      const page = this.#run.page(at);
      if (page?.outcome.kind !== 'page') break;
      const target = findRedirectTarget(page.outcome.facts, from);
      if (target === null) break;
      chain.push({ url: from, status: page.outcome.facts.status, to: target });
      const link = this.#run.links(at).find(({ types }) => (types & LINK_TYPES.redirect) !== 0);
      if (link === undefined || this.#robots.decide(target, agent)?.kind === 'disallowed') break;
      [at, from] = [link.key, target];
    }
    return chain;
  }
}

function toUnjudged({ url, state, stateReason }: UrlRecord): Unjudged {
  return { kind: 'unjudged', url, state, stateReason };
}
