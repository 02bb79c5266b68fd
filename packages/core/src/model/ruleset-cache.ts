// The rulesets of many crawlers in one document. Crawlers that obey the same groups share compiled rules. In particular, all crawlers
// that no group names share one compilation.

import { checkOptions } from '../bytes/check-options.ts';
import type { CrawlerInput } from '../crawler/crawler.ts';
import { getAgentTokens } from '../crawler/resolve-agent.ts';
import { AgentIndex } from './agent-index.ts';
import { CrawlerRules } from './crawler-rules.ts';
import { getSource, type RobotsTxt } from './robots-txt.ts';
import { Ruleset } from './ruleset.ts';
import type { Source } from './source.ts';

/** Options of {@link RulesetCache}. */
export interface RulesetCacheOptions {
  /**
   * Memory limit of all compiled rulesets in bytes. When they exceed it while another one is added, they are discarded and compiled again on
   * demand. In between they can grow, because decisions create indexes.
   *
   * @defaultValue 67,108,864 (64 MiB)
   */
  readonly maxBytes?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** A cache of the rulesets of one document. */
export class RulesetCache {
  readonly #source: Source;
  readonly #maxBytes: number;
  readonly #agents: AgentIndex;
  readonly #compiled: Map<string, CrawlerRules> = new Map();
  readonly #keys: WeakMap<readonly number[], string> = new WeakMap();
  #compiledBytes = 0;
  /** Number of rulesets that were added since all were counted. */
  #uncounted = 0;

  /** @throws {RangeError} if `maxBytes` is negative or not a number. */
  constructor(robots: RobotsTxt, options: RulesetCacheOptions = {}) {
    checkOptions<RulesetCacheOptions>('RulesetCache', options, { maxBytes: 'number' });
    const { maxBytes = MAX_BYTES } = options;
    if (!(maxBytes >= 0))
      throw new RangeError(`maxBytes must be a non-negative number, not ${String(maxBytes)}`);
    this.#source = getSource(robots);
    this.#maxBytes = maxBytes;
    this.#agents = new AgentIndex(robots);
  }

  /**
   * Returns the ruleset of a crawler. Its verdicts equal those of `robots.ruleset(crawler)`.
   *
   * @throws {TypeError} {RangeError} as {@link RobotsTxt.ruleset} does.
   */
  get(crawler: CrawlerInput): Ruleset {
    const agentTokens = getAgentTokens(crawler);
    const { chosen, groups } = this.#agents.select(agentTokens);
    const key = this.#key(groups);
    const shared = this.#compiled.get(key);
    if (shared !== undefined)
      return new Ruleset(new CrawlerRules(this.#source, agentTokens, chosen, shared.matcher));
    const compiled = new CrawlerRules(this.#source, agentTokens);
    // The rules are compiled here, so that their memory is counted.
    void compiled.matcher;
    this.#recount();
    this.#compiledBytes += compiled.sizeInBytes;
    // The next call counts what is left.
    if (this.#compiledBytes > this.#maxBytes) this.#compiled.clear();
    this.#compiled.set(key, compiled);
    return new Ruleset(compiled);
  }

  /**
   * Whether the rules of a crawler are compiled. If not, {@link get} reads the whole file.
   *
   * @throws {TypeError} {RangeError} as {@link RobotsTxt.ruleset} does.
   */
  has(crawler: CrawlerInput): boolean {
    return this.#compiled.has(this.getGroupKey(crawler));
  }

  /**
   * Returns a key that is equal for crawlers that obey the same groups.
   *
   * @throws {TypeError} {RangeError} as {@link RobotsTxt.ruleset} does.
   */
  getGroupKey(crawler: CrawlerInput): string {
    return this.#key(this.#agents.select(getAgentTokens(crawler)).groups);
  }

  /** Returns the key of a list of groups. Keys are cached by list, because a list can be as long as the file. */
  #key(groups: readonly number[]): string {
    const cached = this.#keys.get(groups);
    if (cached !== undefined) return cached;
    const key = groups.join(' ');
    this.#keys.set(groups, key);
    return key;
  }

  /** Current memory in bytes (estimate) of the index and the compiled rulesets, without the document. It grows with use. */
  get sizeInBytes(): number {
    this.#count();
    return this.#compiledBytes + this.#agents.sizeInBytes;
  }

  /** Counts the rulesets again, which grow with use, after as many additions as an eighth of them. So the cost of an addition does not grow. */
  #recount(): void {
    this.#uncounted++;
    if (this.#uncounted * 8 >= this.#compiled.size) this.#count();
  }

  #count(): void {
    let bytes = 0;
    for (const rules of this.#compiled.values()) bytes += rules.sizeInBytes;
    this.#compiledBytes = bytes;
    this.#uncounted = 0;
  }
}
