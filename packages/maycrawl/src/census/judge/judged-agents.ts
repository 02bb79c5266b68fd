/**
 * The judged agents, and a crawler that no group names. Agents to which a file says the same are one set, so that a file is read a few
 * times, however many agents are judged.
 *
 * @module
 */
import {
  type CrawlerSpec,
  GLOBAL_CRAWLER,
  type Ruleset,
  type RulesetCache,
  resolveAgent,
} from '@maycrawl/core';
import { isGoverned, POLICY_TOKENS, type PolicyToken } from '@maycrawl/core/preferences';

/** An agent. */
interface JudgedAgent {
  readonly name: string;
  readonly crawler: CrawlerSpec;
  /** The policy tokens that govern the agent. */
  readonly policyTokens: readonly PolicyToken[];
}

/** Agents to which a file says the same. */
export interface AgentSet extends JudgedAgent {
  /** The names of all agents of the set. */
  readonly names: readonly string[];
  readonly ruleset: Ruleset;
}

/** The judged agents, after the crawler that no group names. Its name is `*`. */
export class JudgedAgents {
  readonly #agents: readonly JudgedAgent[];
  /** The agents that policy tokens govern. */
  readonly governed: readonly JudgedAgent[];

  /** @throws {RangeError} if no user-agent line can name an agent. */
  constructor(names: readonly string[]) {
    this.#agents = [{ name: '*', crawler: GLOBAL_CRAWLER }, ...names.map(resolveAgent)].map(
      ({ name, crawler }) => ({ name, crawler, policyTokens: getPolicyTokens(crawler) }),
    );
    this.governed = this.#agents.filter(({ policyTokens }) => policyTokens.length > 0);
  }

  /** Divides the agents by what a file says to them. */
  divide(rulesets: RulesetCache): AgentSet[] {
    const sets = new Map<string, AgentSet & { readonly names: string[] }>();
    for (const agent of this.#agents) {
      const ruleset = rulesets.get(agent.crawler);
      const { groupKind } = ruleset;
      const isNamed = groupKind === 'own' || groupKind === 'fallback';
      const isShared = !isNamed && agent.policyTokens.length === 0 && !isExempt(agent.crawler);
      const key = isShared ? ` ${groupKind}` : agent.name;
      const set = sets.get(key);
      if (set === undefined) sets.set(key, { ...agent, ruleset, names: [agent.name] });
      else set.names.push(agent.name);
    }
    return [...sets.values()];
  }
}

/** Returns the tokens by which groups can name a crawler. */
export function getTokens(crawler: CrawlerSpec): readonly string[] {
  return 'tokens' in crawler ? crawler.tokens : crawler;
}

function getPolicyTokens(crawler: CrawlerSpec): readonly PolicyToken[] {
  const tokens = getTokens(crawler);
  return POLICY_TOKENS.filter((token) => isGoverned(token, tokens));
}

function isExempt(crawler: CrawlerSpec): boolean {
  return 'obeys' in crawler && crawler.obeys === 'nothing';
}
