/**
 * What the robots.txt files of a run say, or one that is tried in their stead.
 *
 * @module
 */

import { originOf } from '@maycrawl/client/origins';
import {
  type Allowed,
  type CrawlerInput,
  type Disallowed,
  decideWithoutFile,
  type Profile,
  parse,
  type RobotsTxt,
  type Ruleset,
  resolveAgent,
  resolveProfile,
} from '@maycrawl/core';
import type { KeptRobots, RunStore } from '../run/run-store.ts';

/** Sites whose rules are kept. */
const MAX_SITES = 1_000;

/** The rules of one site, for the crawlers of a run. */
interface Site {
  readonly kept: KeptRobots;
  readonly rulesets: readonly (Ruleset | null)[];
}

/** Decides for the crawlers of a run, by the files that it has kept. */
export class RobotsOfRun {
  readonly #run: RunStore;
  readonly #crawlers: readonly CrawlerInput[];
  readonly #profile: Profile;
  readonly #sites: Map<string, Site> = new Map();
  readonly #instead: RobotsTxt | null;

  /**
   * @param agents - names of crawlers.
   * @param instead - a file that is tried: it is taken for that of every site that the run has asked.
   */
  constructor(run: RunStore, agents: readonly string[], profile: string, instead: Uint8Array | null = null) {
    this.#run = run;
    this.#crawlers = agents.map((agent) => resolveAgent(agent).crawler);
    this.#profile = resolveProfile(profile);
    this.#instead = instead === null ? null : parse(instead, { profile: this.#profile });
  }

  /** The crawler of that place. @throws {RangeError} if there is none. */
  crawler(agent: number): CrawlerInput {
    const crawler = this.#crawlers[agent];
    if (crawler === undefined) throw new RangeError(`there is no crawler ${agent} in the run`);
    return crawler;
  }

  /** The verdict about a URL; `undefined` if the run does not know its site. */
  async decide(url: string, agent: number): Promise<Allowed | Disallowed | undefined> {
    const site = await this.#siteOf(originOf(url));
    if (site === undefined) return undefined;
    const ruleset = site.rulesets[agent];
    if (ruleset) {
      const verdict = ruleset.decide(url);
      if (verdict.kind !== 'out-of-scope') return verdict;
    }
    const { use } = site.kept;
    const reason = use === 'absent' || use === 'outage-expired' ? use : 'unreachable';
    const verdict = decideWithoutFile(reason, this.crawler(agent), url, { profile: this.#profile });
    return verdict.kind === 'out-of-scope' ? undefined : verdict;
  }

  async #siteOf(origin: string): Promise<Site | undefined> {
    const known = this.#sites.get(origin);
    if (known !== undefined) return known;
    const kept = await this.#run.robots(origin);
    if (kept === undefined) return undefined;
    const robots = this.#instead ?? this.#parsed(kept);
    const rulesets = this.#crawlers.map((crawler) => robots?.ruleset(crawler) ?? null);
    const site = { kept, rulesets };
    if (this.#sites.size >= MAX_SITES) this.#sites.clear();
    this.#sites.set(origin, site);
    return site;
  }

  #parsed({ body, use }: KeptRobots): RobotsTxt | null {
    if (body === null || (use !== 'rules' && use !== 'given')) return null;
    return parse(body, { profile: this.#profile });
  }
}
