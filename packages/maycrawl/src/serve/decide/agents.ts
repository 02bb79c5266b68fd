/**
 * The crawlers that requests name.
 *
 * @module
 */
import { type CrawlerSpec, isAgentToken, resolveAgent } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import { Problem } from '../http/problems.ts';
import type { Limits } from '../limits/limits.ts';

/** Memory for names that were resolved, in characters. */
const MAX_CHARS = 4 * 1024 * 1024;
const OBJECT_CHARS = 100;

/** A crawler as a request names it. */
export interface NamedAgent {
  readonly name: string;
  readonly crawler: CrawlerSpec;
}

/** Resolves names of crawlers. Those of the last requests stay in memory. */
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
   * The crawler that a name means: one of the catalogue, a token, or what a User-Agent header names.
   *
   * @throws {Problem} for a name that no user-agent line can match, and for one that is too long.
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
      if (error instanceof RangeError) throw new Problem('invalid-agent', error.message);
      throw error;
    }
  }

  /**
   * Bare tokens, each of which counts: the union of their groups.
   *
   * @throws {Problem} for a list that is empty or too long, and for what no user-agent line can match.
   */
  unite(tokens: readonly string[]): NamedAgent {
    const { agents, agentChars } = this.#limits;
    if (tokens.length === 0 || tokens.length > agents)
      throw new Problem('invalid-agent', `"agents" has from 1 to ${agents} product tokens`);
    const unusable = tokens.find((token) => token.length > agentChars || !isAgentToken(token));
    if (unusable !== undefined)
      throw new Problem('invalid-agent', `not a product token: ${JSON.stringify(unusable.slice(0, 100))}`);
    return { name: tokens.join(', '), crawler: { tokens } };
  }
}
