/**
 * Whether a page may be fetched: by one of the crawlers of the run, and not against the will of a site that names maycrawl.
 *
 * @module
 */

import type { OriginState, OriginsOptions } from '@maycrawl/client';
import { Origins } from '@maycrawl/client/origins';
import { type CrawlerInput, parse, type RobotsTxt, type Ruleset, resolveAgent } from '@maycrawl/core';
import type { KeptRobots, RunStore } from '../run/run-store.ts';

/** The product token of this crawler. */
const OWN = 'maycrawl';
/** Sites whose rules are kept. */
const MAX_SITES = 1_000;

/** What one site allows. */
export interface Site {
  /** URLs of its sitemaps. */
  readonly sitemaps: readonly string[];
  /** Milliseconds that the crawlers of the run are asked to leave between requests; 0 if nothing is said. */
  readonly crawlDelay: number;
  /** Whether any crawler of the run may fetch the URL. */
  mayFetch(url: string): boolean;
}

export interface GateOptions
  extends Pick<OriginsOptions, 'userAgent' | 'addressPolicy' | 'timeout' | 'fetcher' | 'now'> {
  readonly agents: readonly string[];
  readonly profile: string;
  /** A file that is taken for that of every site. */
  readonly instead: Uint8Array | null;
}

/** Asks sites for their robots.txt, once in a run, and keeps what they answered. */
export class Gate {
  readonly #run: RunStore;
  readonly #options: GateOptions;
  readonly #origins: Origins;
  readonly #crawlers: readonly CrawlerInput[];
  readonly #sites: Map<string, Site> = new Map();
  readonly #asking: Map<string, Promise<Site>> = new Map();

  constructor(run: RunStore, options: GateOptions) {
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

  /** What a site allows, if that is known. */
  known(origin: string): Site | undefined {
    return this.#sites.get(origin);
  }

  /** What a site allows. Those who ask for the same one wait for one answer. */
  async site(origin: string, signal: AbortSignal): Promise<Site> {
    const known = this.#sites.get(origin);
    if (known !== undefined) return known;
    const asking = this.#asking.get(origin) ?? this.#ask(origin, signal);
    this.#asking.set(origin, asking);
    try {
      return await asking;
    } finally {
      this.#asking.delete(origin);
    }
  }

  async #ask(origin: string, signal: AbortSignal): Promise<Site> {
    const { instead, profile } = this.#options;
    let kept: KeptRobots;
    if (instead === null) kept = keptOf(await this.#origins.holds(origin, { signal }));
    else kept = { origin, use: 'given', code: null, reason: null, fetchedAt: null, body: instead };
    // In a run that goes on it is the file of now that counts, for all that comes.
    await this.#run.putRobots(kept);
    const robots = kept.body === null ? null : parse(kept.body, { profile });
    const site = this.#siteOf(kept, robots);
    if (this.#sites.size >= MAX_SITES) this.#sites.clear();
    this.#sites.set(origin, site);
    return site;
  }

  #siteOf({ use }: KeptRobots, robots: RobotsTxt | null): Site {
    if (robots === null) {
      const isOpen = use === 'absent' || use === 'outage-expired';
      return { sitemaps: [], crawlDelay: 0, mayFetch: () => isOpen };
    }
    const rulesets = this.#crawlers.map((crawler) => robots.ruleset(crawler));
    const own = ownRules(robots);
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

/** The rules for maycrawl, if the file names it. */
function ownRules(robots: RobotsTxt): Ruleset | null {
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
