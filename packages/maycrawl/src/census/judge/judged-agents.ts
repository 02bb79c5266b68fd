// The judged agents, and a crawler that no group names. Agents to which a file says the same are one set, so that a file is read a few
// times, however many agents are judged.

import { type CrawlerSpec, GLOBAL_CRAWLER, isAgentToken, resolveAgent } from '@maycrawl/core';
import { freezeDeep } from '@maycrawl/core/internal';
import { isGoverned, POLICY_TOKENS } from '@maycrawl/core/preferences';

interface JudgedAgent {
  readonly name: string;
  readonly crawler: CrawlerSpec;
  /** Whether a policy token governs the agent. */
  readonly isGoverned: boolean;
}

/**
 * Why groups apply to an agent.
 *
 * - `own`: a group names the agent.
 * - `fallback`: a group names another token that the agent obeys.
 * - `global`: the groups for `*` apply.
 * - `none`: no group applies.
 */
export const GROUP_KINDS = ['own', 'fallback', 'global', 'none'] as const;
freezeDeep(GROUP_KINDS);

/** Why groups apply to an agent: one of {@link GROUP_KINDS}. */
export type GroupKind = (typeof GROUP_KINDS)[number];

/**
 * Returns the name of an agent in tables: the product token of a crawler of the catalogue, as user-agent lines and queries have it, and
 * otherwise the name.
 *
 * @throws {RangeError} if no user-agent line can name the agent.
 */
export function nameAgent(agent: string): string {
  const { name, crawler, source } = resolveAgent(agent);
  const [token = ''] = 'tokens' in crawler ? crawler.tokens : crawler;
  const isNamedByToken = source !== 'token' && isAgentToken(token) && resolveAgent(token).name === name;
  return isNamedByToken ? token : name;
}

/** Agents to which a file says the same. */
export interface AgentSet {
  /** The names of all agents of the set. */
  readonly names: readonly string[];
  /** One of them. */
  readonly crawler: CrawlerSpec;
}

/** The judged agents, after the crawler that no group names. Its name is `*`. */
export class JudgedAgents {
  readonly #agents: readonly JudgedAgent[];
  /** The places of the agents that policy tokens govern. */
  readonly #governed: readonly number[];

  /** @throws {RangeError} if no user-agent line can name an agent. */
  constructor(names: readonly string[]) {
    const crawlers = names.map((name) => ({ name, crawler: resolveAgent(name).crawler }));
    this.#agents = [{ name: '*', crawler: GLOBAL_CRAWLER }, ...crawlers].map((each) => ({
      ...each,
      isGoverned: hasPolicyToken(each.crawler),
    }));
    this.#governed = [...this.#agents.keys()].filter((index) => this.#agents[index]?.isGoverned);
  }

  /** Selects the agents that policy tokens govern, and that ignore the groups for `*`. */
  selectGoverned(groupKinds: readonly GroupKind[]): AgentSet[] {
    return this.#governed.flatMap((index): AgentSet[] => {
      const { name, crawler } = this.#agents[index] as JudgedAgent;
      const kind = groupKinds[index - 1];
      // Without a group for `*`, there are no rules that such a crawler ignores.
      const obeysGlobal = kind === 'global' || (kind === 'none' && !isOwnOnly(crawler));
      return obeysGlobal ? [] : [{ crawler, names: [name] }];
    });
  }

  /**
   * Divides the agents by what a file says to them.
   *
   * @param groupKinds - for each judged agent, why groups of the file apply to it.
   */
  divide(groupKinds: readonly GroupKind[]): AgentSet[] {
    const sets = new Map<string, AgentSet & { readonly names: string[] }>();
    for (const [index, { name, crawler, isGoverned: isAlone }] of this.#agents.entries()) {
      // `*` can be a judged agent, too: it is the first one.
      if (index > 0 && name === '*') continue;
      // The first is the crawler that no group names.
      const kind = index === 0 ? 'global' : groupKinds[index - 1];
      const isNamed = kind === 'own' || kind === 'fallback' || isExempt(crawler);
      const key = isNamed || isAlone ? name : ` ${kind}`;
      const set = sets.get(key);
      if (set === undefined) sets.set(key, { crawler, names: [name] });
      else set.names.push(name);
    }
    return [...sets.values()];
  }
}

function hasPolicyToken(crawler: CrawlerSpec): boolean {
  const tokens = 'tokens' in crawler ? crawler.tokens : crawler;
  // A token that governs all crawlers says the same to all of them.
  return POLICY_TOKENS.some((token) => token.governs !== null && isGoverned(token, tokens));
}

/** Whether a crawler ignores the groups for `*`. */
function isOwnOnly(crawler: CrawlerSpec): boolean {
  return 'obeys' in crawler && crawler.obeys !== 'rules';
}

function isExempt(crawler: CrawlerSpec): boolean {
  return 'obeys' in crawler && crawler.obeys === 'nothing';
}
