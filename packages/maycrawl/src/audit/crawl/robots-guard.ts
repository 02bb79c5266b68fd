/**
 * Whether a URL may be fetched: one of the crawlers of the run may, and a site that names maycrawl allows it.
 *
 * @module
 */

import type { OriginState, OriginsOptions } from '@maycrawl/client';
import { Origins } from '@maycrawl/client/origins';
import { type CrawlerInput, parse, type RobotsTxt, type Ruleset, resolveAgent } from '@maycrawl/core';
import type { KeptRobots, RunStore } from '../run/run-store.ts';

/** The product token of this crawler. */
const OWN = 'maycrawl';
/** Sites whose rules are cached. */
const MAX_SITES = 1_000;

/** What one site allows. */
export interface Site {
  /** URLs of its sitemaps. */
  readonly sitemaps: readonly string[];
  /** Milliseconds between requests that the site asks the crawlers of the run for; 0 if it asks for none. */
  readonly crawlDelay: number;
  /** Whether any crawler of the run may fetch the URL. */
  mayFetch(url: string): boolean;
}

export interface RobotsGuardOptions
  extends Pick<OriginsOptions, 'userAgent' | 'addressPolicy' | 'timeout' | 'fetcher' | 'now'> {
  readonly agents: readonly string[];
  readonly profile: string;
  /** A file that replaces that of every site. */
  readonly instead: Uint8Array | null;
}

/** Fetches the robots.txt of sites, once in a run, and records it. */
export class RobotsGuard {
  readonly #run: RunStore;
  readonly #options: RobotsGuardOptions;
  readonly #origins: Origins;
  readonly #crawlers: readonly CrawlerInput[];
  readonly #sites: Map<string, Site> = new Map();
  readonly #fetching: Map<string, Promise<Site>> = new Map();

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
    });
  }

  /** Returns what a site allows; `undefined` if that is not cached. */
  findSite(origin: string): Site | undefined {
    return this.#sites.get(origin);
  }

  /** Returns what a site allows. Callers that want the same site wait for one fetch. */
  async getSite(origin: string, signal: AbortSignal): Promise<Site> {
    const known = this.#sites.get(origin);
    if (known !== undefined) return known;
    const fetching = this.#fetching.get(origin) ?? this.#fetch(origin, signal);
    this.#fetching.set(origin, fetching);
    try {
      return await fetching;
    } finally {
      this.#fetching.delete(origin);
    }
  }

  async #fetch(origin: string, signal: AbortSignal): Promise<Site> {
    const { instead, profile } = this.#options;
    let kept: KeptRobots;
    if (instead === null) kept = keptOf(await this.#origins.holds(origin, { signal }));
    else kept = { origin, use: 'given', code: null, reason: null, fetchedAt: null, body: instead };
    // In a resumed run the file of now applies to all further URLs.
    await this.#run.putRobots(kept);
    const robots = kept.body === null ? null : parse(kept.body, { profile });
    const site = this.#createSite(kept, robots);
    if (this.#sites.size >= MAX_SITES) this.#sites.clear();
    this.#sites.set(origin, site);
    return site;
  }

  #createSite({ use }: KeptRobots, robots: RobotsTxt | null): Site {
    if (robots === null) {
      const isOpen = use === 'absent' || use === 'outage-expired';
      return { sitemaps: [], crawlDelay: 0, mayFetch: () => isOpen };
    }
    const rulesets = this.#crawlers.map((crawler) => robots.ruleset(crawler));
    const own = getOwnRules(robots);
    const delays = rulesets.map((ruleset) => ruleset.crawlDelay ?? 0);
    return {
      sitemaps: robots.sitemaps().map(({ value }) => value),
      crawlDelay: 1000 * Math.max(0, ...delays),
      mayFetch: (url) =>
        rulesets.some((ruleset) => ruleset.decide(url).kind === 'allowed') &&
        own?.decide(url).kind !== 'disallowed',
    };
  }
}

/** Returns the rules for maycrawl, if the file names it. */
function getOwnRules(robots: RobotsTxt): Ruleset | null {
  const ruleset = robots.ruleset(OWN);
  const verdict = ruleset.decide('/');
  return verdict.kind !== 'out-of-scope' && verdict.groupKind === 'own' ? ruleset : null;
}

function keptOf({ origin, use, robots, history: { answer, outage } }: OriginState): KeptRobots {
  const { code, reason } = outage ?? answer ?? { code: null, reason: null };
  return {
    origin,
    use: use === 'unknown' ? 'unreachable' : use,
    ...{ code, reason, fetchedAt: outage?.lastAt ?? answer?.fetchedAt ?? null },
    body: use === 'rules' && robots !== null ? (answer?.bytes ?? null) : null,
  };
}
