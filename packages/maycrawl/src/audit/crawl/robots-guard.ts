/**
 * Decides whether the audit may fetch a page: a crawler of the run may, and the site does not disallow it to maycrawl by name.
 *
 * @module
 */

import type { OriginState, OriginsOptions } from '@maycrawl/client';
import { InFlight } from '@maycrawl/client/event-loop';
import { Origins } from '@maycrawl/client/origins';
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

/** Fetches the robots.txt of each site once in a run, and stores it with the run. */
export class RobotsGuard {
  readonly #run: RunStore;
  readonly #options: RobotsGuardOptions;
  readonly #origins: Origins;
  readonly #crawlers: readonly CrawlerInput[];
  readonly #sites: Map<string, Site> = new Map();
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

  /** The site if it is cached; `undefined` otherwise. */
  findSite(origin: string): Site | undefined {
    return this.#sites.get(origin);
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
    return this.#sites.get(origin) ?? this.#inFlight.join(origin, fetch, signal);
  }

  /** Resolves when no response is being stored any more: then the run can be closed. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#fetches);
  }

  async #fetch(origin: string, signal: AbortSignal): Promise<Site> {
    const { instead, profile } = this.#options;
    const stored: StoredRobots =
      instead === null
        ? toStoredRobots(await this.#origins.getState(origin, { signal }))
        : { origin, code: null, message: null, fetchedAt: null, ...GIVEN, body: instead };
    // In a run that is resumed, the file of now counts from here on.
    this.#run.robots.set(stored);
    const { body } = stored;
    const site =
      body === null ? createSiteWithoutFile(stored) : createSite(parse(body, { profile }), this.#crawlers);
    if (this.#sites.size >= MAX_SITES) this.#sites.clear();
    this.#sites.set(origin, site);
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
