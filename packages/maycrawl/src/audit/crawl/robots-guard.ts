// Decides whether the audit may fetch a page: a crawler of the run may, and the site does not disallow it to maycrawl by name.

import type { OriginState, OriginsOptions } from '@maycrawl/client';
import { InFlight, Origins } from '@maycrawl/client/internal';
import {
  type CrawlerInput,
  getPolicyCode,
  getPolicySummary,
  parse,
  type RobotsTxt,
  type Ruleset,
  resolveAgent,
} from '@maycrawl/core';
import type { RunStore } from '../run/run-store.ts';
import type { StoredRobots } from '../run/tables/robots-table.ts';

/** The product token of this crawler. */
export const OWN_AGENT = 'maycrawl';
/** The number of sites whose rules are cached. */
const MAX_SITES = 1_000;
/** The longest Crawl-delay in milliseconds, a day. Timers cannot wait for more than 2^31 - 1. */
const MAX_CRAWL_DELAY = 86_400_000;

/** What the crawl needs to know of the robots.txt of a site. */
export interface Site {
  /** URLs of its sitemaps. */
  readonly sitemaps: readonly string[];
  /** Minimum time between requests in milliseconds (Crawl-delay of the crawlers of the run), at most a day; 0 without one. */
  readonly crawlDelay: number;
  /** Whether any crawler of the run may fetch the URL. */
  mayFetch(url: string): boolean;
  /** Describes why no crawler of the run may fetch the URL, as a part of a sentence; `null` if one may. */
  describeRefusal(url: string): string | null;
  /**
   * Returns why a file is missing when a page is rendered; `null` if it is not. The run renders pages as its first crawler, and obeys rules
   * for maycrawl, too.
   */
  refuse(url: string): FileRefusal | null;
}

/** Who may not fetch a file: the crawler, maycrawl, or anybody, because the robots.txt is unreachable. */
type FileRefusal = 'robots' | 'own-robots' | 'robots-unreachable';

export interface RobotsGuardOptions
  extends Pick<OriginsOptions, 'userAgent' | 'addressPolicy' | 'timeout' | 'fetcher' | 'now'> {
  readonly agents: readonly string[];
  readonly profile: string;
  /** A file that replaces that of every site. */
  readonly instead: Uint8Array | null;
}

/** A site, and until when its rules apply without a request, in milliseconds since 1970. */
interface CachedSite {
  readonly site: Site;
  until: number;
}

/** Fetches the robots.txt of each site, again when it is stale, and stores it with the run. */
export class RobotsGuard {
  readonly #run: RunStore;
  readonly #options: RobotsGuardOptions;
  readonly #origins: Origins;
  readonly #crawlers: readonly CrawlerInput[];
  readonly #sites: Map<string, CachedSite> = new Map();
  readonly #inFlight: InFlight<Site> = new InFlight();
  readonly #fetches: Set<Promise<unknown>> = new Set();

  constructor(run: RunStore, options: RobotsGuardOptions) {
    const { agents, profile, instead: _, ...others } = options;
    this.#run = run;
    this.#options = options;
    this.#crawlers = agents.map((agent) => resolveAgent(agent).crawler);
    const given = Object.entries(others).filter(([, value]) => value !== undefined);
    this.#origins = new Origins({
      ...(Object.fromEntries(given) as typeof others),
      mayFollow: (url, robots) =>
        this.#crawlers.some((crawler) => robots.ruleset(crawler).decide(url).kind === 'allowed'),
      profile,
      loading: 'on-demand',
    });
  }

  /** The site if its rules are cached and not stale; `undefined` otherwise. */
  findSite(origin: string): Site | undefined {
    const { now = Date.now } = this.#options;
    const cached = this.#sites.get(origin);
    return cached !== undefined && now() < cached.until ? cached.site : undefined;
  }

  /** The site, once for all callers. The request ends when the signal of each caller has aborted. */
  async getSite(origin: string, signal: AbortSignal): Promise<Site> {
    const fetch = (own: AbortSignal): Promise<Site> => {
      const site = this.#fetch(origin, own);
      this.#fetches.add(site);
      const end = (): boolean => this.#fetches.delete(site);
      site.then(end, end);
      return site;
    };
    return this.findSite(origin) ?? this.#inFlight.join(origin, fetch, signal);
  }

  /** Resolves when no response is being stored any more: then the run can be closed. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#fetches);
  }

  async #fetch(origin: string, signal: AbortSignal): Promise<Site> {
    const { instead } = this.#options;
    if (instead !== null) {
      const given = { origin, code: null, message: null, fetchedAt: null, ...GIVEN, body: instead };
      return this.#store(given, Number.POSITIVE_INFINITY);
    }
    const state = await this.#origins.getState(origin, { signal });
    const { refreshAt } = state;
    const isFailing = state.history.outage !== null;
    const before = this.#sites.get(origin);
    // Rules apply longer while they cannot be fetched again.
    if (before !== undefined && isFailing) {
      before.until = refreshAt;
      return before.site;
    }
    return this.#store(toStoredRobots(state), isFailing ? Number.POSITIVE_INFINITY : refreshAt);
  }

  /** Stores the file of a site with the run. In a run that is resumed, and after the last one is stale, the file of now counts from here on. */
  #store(stored: StoredRobots, until: number): Site {
    const { profile } = this.#options;
    this.#run.robots.set(stored);
    const { body } = stored;
    const site =
      body === null ? createSiteWithoutFile(stored) : createSite(parse(body, { profile }), this.#crawlers);
    if (this.#sites.size >= MAX_SITES) this.#sites.clear();
    this.#sites.set(stored.origin, { site, until });
    return site;
  }
}

const GIVEN = { policy: { kind: 'rules' }, isGiven: true } as const;

function createSiteWithoutFile({ policy, message }: StoredRobots): Site {
  const isAllowed = policy.kind === 'allow-all';
  const cause = message === null ? '' : ` (${message})`;
  return {
    ...{ sitemaps: [], crawlDelay: 0, mayFetch: () => isAllowed },
    describeRefusal: () =>
      isAllowed ? null : `the robots.txt of its host cannot be fetched${cause}, so everything is disallowed`,
    refuse: () => (isAllowed ? null : 'robots-unreachable'),
  };
}

function createSite(robots: RobotsTxt, crawlers: readonly CrawlerInput[]): Site {
  const rulesets = crawlers.map((crawler) => robots.ruleset(crawler));
  const own = getOwnRules(robots);
  const delays = rulesets.map((ruleset) => ruleset.crawlDelay ?? 0);
  const mayFetch = (url: string): boolean =>
    rulesets.some((ruleset) => ruleset.decide(url).kind === 'allowed') &&
    own?.decide(url).kind !== 'disallowed';
  return {
    mayFetch,
    describeRefusal: (url) => (mayFetch(url) ? null : 'disallowed by robots.txt'),
    sitemaps: robots.sitemaps().map(({ value }) => value),
    crawlDelay: Math.min(1000 * Math.max(0, ...delays), MAX_CRAWL_DELAY),
    refuse: (url) => {
      if (rulesets[0]?.decide(url).kind !== 'allowed') return 'robots';
      return own?.decide(url).kind === 'disallowed' ? 'own-robots' : null;
    },
  };
}

/** The rules for maycrawl, if the file names it. */
function getOwnRules(robots: RobotsTxt): Ruleset | null {
  const ruleset = robots.ruleset(OWN_AGENT);
  const verdict = ruleset.decide('/');
  return verdict.kind !== 'out-of-scope' && verdict.groupKind === 'own' ? ruleset : null;
}

function toStoredRobots({ origin, policy, history: { response, outage } }: OriginState): StoredRobots {
  const { code, message } = outage ?? response ?? { code: null, message: null };
  return {
    origin,
    policy: getPolicySummary(getPolicyCode(policy)),
    isGiven: false,
    code,
    message,
    fetchedAt: outage?.lastAt ?? response?.fetchedAt ?? null,
    body: policy.kind === 'rules' ? (response?.bytes ?? null) : null,
  };
}
