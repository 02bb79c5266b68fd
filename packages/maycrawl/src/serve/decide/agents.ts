// The crawlers that requests name.

import { type CrawlerSpec, isAgentToken, isInvalidAgentError, resolveAgent } from '@maycrawl/core';
import { truncate } from '@maycrawl/core/internal';
import { LRUCache } from 'lru-cache';
import { Problem } from '../http/problems.ts';
import type { Limits } from '../limits/limits.ts';

/** Characters of resolved names in memory. */
const MAX_CHARS = 4 * 1024 * 1024;
const OBJECT_CHARS = 100;

/** A crawler as a request names it. */
export interface NamedAgent {
  readonly name: string;
  readonly crawler: CrawlerSpec;
}

/** Resolves names of crawlers. The most recently used ones stay in memory. */
export class Agents {
  readonly #limits: Pick<Limits, 'agentChars' | 'agents'>;
  readonly #known: LRUCache<string, NamedAgent> = new LRUCache({
    maxSize: MAX_CHARS,
    sizeCalculation: ({ name }, key) => OBJECT_CHARS + name.length + key.length,
  });

  constructor(limits: Pick<Limits, 'agentChars' | 'agents'>) {
    this.#limits = limits;
  }

  /**
   * Resolves a crawler of the catalogue, a product token, or a User-Agent header.
   *
   * @throws {Problem} `invalid-agent` for a name that no user-agent line can match, or that is too long.
   */
  resolve(name: string): NamedAgent {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const { agentChars } = this.#limits;
    if (name.length > agentChars)
      throw new Problem('invalid-agent', `the name of a crawler has at most ${agentChars} characters`);
    try {
      const agent = resolveAgent(name);
      this.#known.set(name, agent);
      return agent;
    } catch (error) {
      if (isInvalidAgentError(error)) throw new Problem('invalid-agent', error.message);
      throw error;
    }
  }

  /**
   * Combines bare tokens to one crawler, which obeys the union of their groups exactly as in Google's matcher.
   *
   * @throws {Problem} `invalid-agent` for an empty list, and for one with too many tokens or characters.
   */
  combine(tokens: readonly string[]): NamedAgent {
    const { agents, agentChars } = this.#limits;
    if (tokens.length === 0 || tokens.length > agents)
      throw new Problem('invalid-agent', `"agents" takes 1 to ${agents} tokens`);
    // Each response has all of them.
    if (tokens.reduce((chars, { length }) => chars + length, 0) > agentChars)
      throw new Problem(
        'invalid-agent',
        `the tokens of "agents" have at most ${agentChars} characters together`,
      );
    return { name: tokens.join(', '), crawler: { tokens } };
  }

  /** @throws {Problem} `invalid-agent` for a text that no user-agent line can name, or that is too long. */
  requireTokens(tokens: readonly string[]): void {
    const { agentChars } = this.#limits;
    const unusable = tokens.find((token) => token.length > agentChars || !isAgentToken(token));
    if (unusable !== undefined)
      throw new Problem('invalid-agent', `not a product token: ${JSON.stringify(truncate(unusable, 100))}`);
  }
}

/** A URL, and the crawler that requests it. */
export interface DecisionRequest {
  readonly url: string;
  readonly agent: NamedAgent;
}
