/**
 * The rulesets of many crawlers in one document. Crawlers that choose the same groups share one compiled ruleset: however many
 * names are asked about, all those that no group names cost as much as one.
 *
 * @module
 */
import type { CrawlerLike, Preference } from './crawler.ts';
import type { RobotsTxt } from './document.ts';
import { ALLOW, DISALLOW, USER_AGENT } from './fields.ts';
import { readUserAgent } from './record.ts';
import { findPreference } from './resolve-agent.ts';
import type { Ruleset } from './ruleset.ts';

export interface SharedRulesetsOptions {
  /**
   * Bytes that all compiled rulesets together may take; beyond that they are dropped, and compiled again when they are needed.
   *
   * @defaultValue 67,108,864 (64 MiB)
   */
  readonly maxBytes?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** What an entry of the index takes, beside its text. */
const ENTRY_BYTES = 120;

/** The groups that a crawler obeys. */
interface Choice {
  /** The bit of the set of tokens in use; 0 if no group applies (collect.ts). */
  readonly chosen: number;
  /** The same text for the same groups. */
  readonly key: string;
}

/** Rulesets of one document. */
export class SharedRulesets {
  readonly #robots: RobotsTxt;
  readonly #maxBytes: number;
  /** The groups that name a token, by their numbers in the order of the file; `*` for the global ones. */
  readonly #groups: Map<string, number[]> = new Map();
  readonly #compiled: Map<string, Ruleset> = new Map();
  #indexBytes = 0;
  #compiledBytes = 0;

  constructor(robots: RobotsTxt, { maxBytes = MAX_BYTES }: SharedRulesetsOptions = {}) {
    if (!(maxBytes >= 0)) throw new RangeError(`maxBytes is a number of bytes, not ${String(maxBytes)}`);
    this.#robots = robots;
    this.#maxBytes = maxBytes;
    this.#readGroups();
  }

  /**
   * The ruleset of a crawler. It decides as `robots.ruleset(crawler)` does.
   *
   * @throws {TypeError} {RangeError} as {@link RobotsTxt.ruleset} does.
   */
  get(crawler: CrawlerLike): Ruleset {
    const preference = findPreference(crawler);
    const { chosen, key } = this.#choose(preference);
    const shared = this.#compiled.get(key);
    if (shared !== undefined) return shared.share(preference, chosen);
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
    return this.#compiled.has(this.#choose(findPreference(crawler)).key);
  }

  /** Memory in bytes of the index and the compiled rulesets as they are now, without the document. They grow with use. */
  get sizeInBytes(): number {
    let bytes = this.#indexBytes;
    for (const ruleset of this.#compiled.values()) bytes += ruleset.sizeInBytes;
    this.#compiledBytes = bytes - this.#indexBytes;
    return bytes;
  }

  #readGroups(): void {
    let group = -1;
    let isListOpen = false;
    for (const scanner = this.#robots.scan(); scanner.next(); ) {
      const { kind } = scanner;
      if (kind === ALLOW || kind === DISALLOW) isListOpen = false;
      if (kind !== USER_AGENT) continue;
      if (!isListOpen) group++;
      isListOpen = true;
      const { token, extendedToken } = readUserAgent(scanner);
      this.#add(token, group);
      if (extendedToken !== token) this.#add(extendedToken, group);
    }
  }

  #add(token: string, group: number): void {
    if (token === '') return;
    const groups = this.#groups.get(token);
    if (groups === undefined) {
      this.#groups.set(token, [group]);
      this.#indexBytes += ENTRY_BYTES + token.length;
    } else if (groups.at(-1) !== group) {
      groups.push(group);
      this.#indexBytes += 8;
    }
  }

  #choose({ sets, obeysGlobal }: Preference): Choice {
    for (const [rank, tokens] of sets.entries()) {
      const groups = new Set(tokens.flatMap((token) => this.#groups.get(token.toLowerCase()) ?? []));
      if (groups.size > 0) return { chosen: 1 << rank, key: [...groups].sort((a, b) => a - b).join(' ') };
    }
    const global = obeysGlobal ? (this.#groups.get('*') ?? []) : [];
    return global.length === 0 ? { chosen: 0, key: '' } : { chosen: 1 << sets.length, key: global.join(' ') };
  }
}
