// A list of crawlers for which many files are read: an index from tokens to crawlers, so that their groups are found from the few names in a
// file instead of from each crawler.
import { addToList } from '../bytes/add-to-list.ts';
import type { AgentTokens, CrawlerInput } from '../crawler/crawler.ts';
import { getAgentTokens } from '../crawler/resolve-agent.ts';
import type { AgentNames } from '../model/agent-names.ts';

interface Named {
  /** The position of the crawler in the list. */
  readonly crawler: number;
  /** The position of the token set that has the token: 0 is the preferred one. */
  readonly rank: number;
}

const NO_GROUPS: readonly number[] = [];
/** Greater than the rank of any token set (crawler.ts). */
const NO_RANK = 0xff;

export class CrawlerList {
  readonly #agentTokens: readonly AgentTokens[];
  readonly #named: Map<string, Named[]> = new Map();

  /** @throws {TypeError} {RangeError} as `RobotsTxt.ruleset` does. */
  constructor(crawlers: readonly CrawlerInput[]) {
    this.#agentTokens = crawlers.map(getAgentTokens);
    for (const [crawler, { tokenSets }] of this.#agentTokens.entries())
      for (const [rank, tokens] of tokenSets.entries())
        for (const token of tokens) addToList(this.#named, token.toLowerCase(), { crawler, rank });
  }

  /**
   * Selects the groups that each crawler obeys, as `AgentNames.select` does.
   *
   * @param onSelected - called for each crawler, in their order.
   */
  selectGroups(
    agents: AgentNames,
    onSelected: (agentTokens: AgentTokens, chosen: number, groups: readonly number[]) => void,
  ): void {
    const ranks = new Uint8Array(this.#agentTokens.length).fill(NO_RANK);
    for (const name of agents.names)
      for (const { crawler, rank } of this.#named.get(name) ?? [])
        if (rank < (ranks[crawler] as number)) ranks[crawler] = rank;
    const global = agents.select({ tokenSets: [], obeysGlobal: true });
    for (const [crawler, agentTokens] of this.#agentTokens.entries()) {
      if (ranks[crawler] !== NO_RANK) {
        const { chosen, groups } = agents.select(agentTokens);
        onSelected(agentTokens, chosen, groups);
      } else if (agentTokens.obeysGlobal && global.chosen !== 0)
        onSelected(agentTokens, 1 << agentTokens.tokenSets.length, global.groups);
      else onSelected(agentTokens, 0, NO_GROUPS);
    }
  }
}
