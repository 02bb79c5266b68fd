/**
 * Decisions by the robots.txt files of a run, or by one that is tried instead.
 *
 * @module
 */

import {
  type Allowed,
  type CrawlerInput,
  type Disallowed,
  decideByPolicy,
  type Profile,
  parse,
  type RobotsPolicy,
  type RobotsTxt,
  type Ruleset,
  resolveAgent,
  resolveProfile,
} from '@maycrawl/core';
import { getOrigin } from '@maycrawl/core/url';
import type { RunStore, StoredRobots } from '../run/run-store.ts';

/** Sites whose rules are kept. */
const MAX_SITES = 1_000;

/** The policy of one site, and the rules of its file for the crawlers of a run. */
interface Site {
  readonly policy: RobotsPolicy;
  readonly rulesets: readonly Ruleset[];
}

/** Decides for the crawlers of a run, by the files that it has stored. */
export class RunPolicies {
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
    const site = await this.#siteOf(getOrigin(url));
    if (site === undefined) return undefined;
    const { policy, rulesets } = site;
    const verdict = decideByPolicy(policy, this.crawler(agent), url, {
      profile: this.#profile,
      getRuleset: (robots) => rulesets[agent] ?? robots.ruleset(this.crawler(agent)),
    });
    return verdict.kind === 'out-of-scope' ? undefined : verdict;
  }

  async #siteOf(origin: string): Promise<Site | undefined> {
    const known = this.#sites.get(origin);
    if (known !== undefined) return known;
    const kept = await this.#run.robots(origin);
    if (kept === undefined) return undefined;
    const policy = this.#getPolicy(kept);
    const rulesets =
      policy.kind === 'rules' ? this.#crawlers.map((crawler) => policy.robots.ruleset(crawler)) : [];
    const site = { policy, rulesets };
    if (this.#sites.size >= MAX_SITES) this.#sites.clear();
    this.#sites.set(origin, site);
    return site;
  }

  #getPolicy({ body, policy }: StoredRobots): RobotsPolicy {
    if (this.#instead !== null) return { kind: 'rules', robots: this.#instead };
    if (policy.kind !== 'rules') return policy;
    // A file that is lost must not become one without rules.
    if (body === null) return { kind: 'unknown' };
    return { kind: 'rules', robots: parse(body, { profile: this.#profile }) };
  }
}
