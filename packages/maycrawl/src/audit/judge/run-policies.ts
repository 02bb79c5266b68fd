// Verdicts by the robots.txt files of a run, or by a file that replaces them.

import {
  type Allowed,
  type Disallowed,
  decideByPolicy,
  type Profile,
  parse,
  type RobotsPolicy,
  type RobotsTxt,
  type Ruleset,
  resolveProfile,
} from '@maycrawl/core';
import { getOrigin } from '@maycrawl/core/url';
import type { RunStore } from '../run/run-store.ts';
import { runsScripts } from '../run/script-crawlers.ts';
import type { StoredRobots } from '../run/tables/robots-table.ts';

/** Maximum number of cached sites. */
const MAX_SITES = 1_000;

/** The policy of one site, and the rules of its file for the crawlers of a run. */
interface Site {
  readonly policy: RobotsPolicy;
  readonly rulesets: readonly Ruleset[];
}

/** Decides for the crawlers of a run by its stored files. */
export class RunPolicies {
  readonly #run: RunStore;
  readonly #agents: readonly string[];
  readonly #profile: Profile;
  readonly #sites: Map<string, Site> = new Map();
  readonly #instead: RobotsTxt | null;

  /**
   * @param agents - names of crawlers.
   * @param instead - a file that replaces that of every site of the run.
   */
  constructor(run: RunStore, agents: readonly string[], profile: string, instead: Uint8Array | null = null) {
    this.#run = run;
    this.#agents = agents;
    this.#profile = resolveProfile(profile);
    this.#instead = instead === null ? null : parse(instead, { profile: this.#profile });
  }

  /** Returns the name of a crawler by index: the library keeps the tokens of names. @throws {RangeError} if there is none. */
  crawler(agent: number): string {
    const crawler = this.#agents[agent];
    if (crawler === undefined) throw new RangeError(`there is no crawler ${agent} in the run`);
    return crawler;
  }

  /** Whether a crawler runs the scripts of pages. @param agent - its index. */
  runsScripts(agent: number): boolean {
    return runsScripts(this.#agents[agent] ?? '');
  }

  /** Returns the policy of the site of a URL; `undefined` if the run does not contain it. */
  getPolicy(url: string): RobotsPolicy | undefined {
    return this.#findSite(getOrigin(url))?.policy;
  }

  /** Returns the verdict about a URL; `undefined` if the run does not contain its site. */
  decide(url: string, agent: number): Allowed | Disallowed | undefined {
    const site = this.#findSite(getOrigin(url));
    if (site === undefined) return undefined;
    const { policy, rulesets } = site;
    const verdict = decideByPolicy(policy, this.crawler(agent), url, {
      profile: this.#profile,
      getRuleset: (robots) => rulesets[agent] ?? robots.ruleset(this.crawler(agent)),
    });
    return verdict.kind === 'out-of-scope' ? undefined : verdict;
  }

  #findSite(origin: string): Site | undefined {
    const known = this.#sites.get(origin);
    if (known !== undefined) return known;
    const stored = this.#run.robots.get(origin);
    if (stored === undefined) return undefined;
    const policy = this.#createPolicy(stored);
    const rulesets =
      policy.kind === 'rules' ? this.#agents.map((crawler) => policy.robots.ruleset(crawler)) : [];
    const site = { policy, rulesets };
    if (this.#sites.size >= MAX_SITES) this.#sites.clear();
    this.#sites.set(origin, site);
    return site;
  }

  #createPolicy({ body, policy }: StoredRobots): RobotsPolicy {
    if (this.#instead !== null) return { kind: 'rules', robots: this.#instead };
    if (policy.kind !== 'rules') return policy;
    // A lost file must not count as one without rules.
    if (body === null) return { kind: 'unknown' };
    return { kind: 'rules', robots: parse(body, { profile: this.#profile }) };
  }
}
