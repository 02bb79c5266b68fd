/**
 * The rulesets of many crawlers in one document. Crawlers that choose the same groups share one compiled ruleset: however many
 * names are asked about, all those that no group names cost as much as one.
 *
 * @module
 */

import type { CrawlerLike } from '../crawler/crawler.ts';
import { findPreference } from '../crawler/resolve-agent.ts';
import { AgentIndex } from './agent-index.ts';
import type { RobotsTxt } from './robots-txt.ts';
import { type Ruleset, shareRuleset } from './ruleset.ts';

export interface SharedRulesetsOptions {
  /**
   * Bytes that all compiled rulesets together may take; beyond that they are dropped, and compiled again when they are needed.
   *
   * @defaultValue 67,108,864 (64 MiB)
   */
  readonly maxBytes?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Rulesets of one document. */
export class SharedRulesets {
  readonly #robots: RobotsTxt;
  readonly #maxBytes: number;
  readonly #agents: AgentIndex;
  readonly #compiled: Map<string, Ruleset> = new Map();
  readonly #keys: WeakMap<readonly number[], string> = new WeakMap();
  #compiledBytes = 0;

  constructor(robots: RobotsTxt, { maxBytes = MAX_BYTES }: SharedRulesetsOptions = {}) {
    if (!(maxBytes >= 0)) throw new RangeError(`maxBytes is a number of bytes, not ${String(maxBytes)}`);
    this.#robots = robots;
    this.#maxBytes = maxBytes;
    this.#agents = new AgentIndex(robots);
  }

  /**
   * The ruleset of a crawler. It decides as `robots.ruleset(crawler)` does.
   *
   * @throws {TypeError} {RangeError} as {@link RobotsTxt.ruleset} does.
   */
  get(crawler: CrawlerLike): Ruleset {
    const preference = findPreference(crawler);
    const { chosen, groups } = this.#agents.select(preference);
    const key = this.#key(groups);
    const shared = this.#compiled.get(key);
    if (shared !== undefined) return shareRuleset(shared, preference, chosen);
    const compiled = this.#robots.ruleset(crawler);
    this.#compiledBytes += compiled.sizeInBytes;
    if (this.#compiledBytes > this.#maxBytes) {
      this.#compiled.clear();
      this.#compiledBytes = compiled.sizeInBytes;
    }
    this.#compiled.set(key, compiled);
    return compiled;
  }

  /**
   * Whether the rules of a crawler are compiled already: then {@link get} is cheap. Otherwise it reads the whole file.
   *
   * @throws {TypeError} {RangeError} as {@link RobotsTxt.ruleset} does.
   */
  has(crawler: CrawlerLike): boolean {
    return this.#compiled.has(this.getGroupsKey(crawler));
  }

  /**
   * A text that is the same for crawlers that obey the same groups.
   *
   * @throws {TypeError} {RangeError} as {@link RobotsTxt.ruleset} does.
   */
  getGroupsKey(crawler: CrawlerLike): string {
    return this.#key(this.#agents.select(findPreference(crawler)).groups);
  }

  /** The same text for the same groups. The index mostly has the list already, and a list can be as long as the file. */
  #key(groups: readonly number[]): string {
    const known = this.#keys.get(groups);
    if (known !== undefined) return known;
    const key = groups.join(' ');
    this.#keys.set(groups, key);
    return key;
  }

  /** Memory in bytes of the index and the compiled rulesets as they are now, without the document. They grow with use. */
  get sizeInBytes(): number {
    let bytes = 0;
    for (const ruleset of this.#compiled.values()) bytes += ruleset.sizeInBytes;
    this.#compiledBytes = bytes;
    return bytes + this.#agents.sizeInBytes;
  }
}
