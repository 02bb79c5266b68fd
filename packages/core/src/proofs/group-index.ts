/**
 * The groups of a file by the agents that they name. The file is read once, however many agents there are: reading it again
 * for each of thousands of agents would take quadratic time.
 *
 * @module
 */
import { toByteString } from '../byte-string.ts';
import type { CollectedRule } from '../collect.ts';
import type { CrawlerLike } from '../crawler.ts';
import type { RobotsTxt } from '../document.ts';
import { ALLOW, DISALLOW, USER_AGENT } from '../fields.ts';
import { rankPatterns } from '../ranked-patterns.ts';
import { extendedTokenEnd, isGlobalAgent, tokenEnd } from '../record.ts';
import { findPreference } from '../resolve-agent.ts';
import { RuleTable } from '../rule-table.ts';
import type { Budget } from './budget.ts';

/** Work to read a byte of a file, and to put a rule into a table. */
const WORK_PER_BYTE = 1 / 20;
const WORK_PER_RULE = 8;

/** The groups of a file, numbered from 0, and who obeys them. */
export class GroupIndex {
  readonly robots: RobotsTxt;
  /** Product tokens that groups name, by their lower-case form, as they are first written; without `*`. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Extended tokens that groups name, in the same form. */
  readonly extendedTokens: ReadonlyMap<string, string>;
  readonly #bytes: Uint8Array;
  readonly #content: string;
  readonly #rules: CollectedRule[][] = [];
  readonly #groupsOfToken: Map<string, number[]> = new Map();
  readonly #groupsOfExtended: Map<string, number[]> = new Map();
  readonly #tables: Map<string, RuleTable> = new Map();

  /**
   * @param budget - pays for reading the file; free if omitted.
   * @throws {BoundReached} if that is too much.
   */
  constructor(robots: RobotsTxt, budget?: Budget) {
    this.robots = robots;
    const scanner = robots.scan();
    const { bytes } = scanner;
    budget?.spend(bytes.length * WORK_PER_BYTE);
    this.#bytes = bytes;
    this.#content = toByteString(bytes, 0, bytes.length);
    const tokens = new Map<string, string>();
    const extended = new Map<string, string>();
    let rules: CollectedRule[] | undefined;
    while (scanner.next()) {
      const { kind, line, valueStart, valueEnd } = scanner;
      if (kind === USER_AGENT) {
        if (rules === undefined || rules.length > 0) {
          rules = [];
          this.#rules.push(rules);
        }
        const group = this.#rules.length - 1;
        const read = (end: number): string => this.#content.slice(valueStart, end);
        if (isGlobalAgent(bytes, valueStart, valueEnd)) {
          addGroup(this.#groupsOfToken, '*', group);
          continue;
        }
        const end = tokenEnd(bytes, valueStart, valueEnd);
        if (end > valueStart) addAgent(tokens, this.#groupsOfToken, read(end), group);
        const extendedEnd = extendedTokenEnd(bytes, end, valueEnd);
        if (extendedEnd > end) addAgent(extended, this.#groupsOfExtended, read(extendedEnd), group);
      } else if (kind === ALLOW || kind === DISALLOW) {
        rules?.push({ isAllow: kind === ALLOW, line, valueStart, valueEnd });
      }
    }
    this.tokens = tokens;
    this.extendedTokens = extended;
  }

  /** The numbers of the groups that a crawler obeys, in the order of the file. */
  groupsFor(crawler: CrawlerLike): readonly number[] {
    const { sets, obeysGlobal, exempt } = findPreference(crawler);
    if (exempt) return [];
    for (const set of sets) {
      const lists = set.flatMap((token) => this.#groupsNaming(token.toLowerCase()));
      const [first] = lists;
      if (first === undefined) continue;
      if (lists.length === 1) return first;
      return [...new Set(lists.flat())].sort((a, b) => a - b);
    }
    return obeysGlobal ? (this.#groupsOfToken.get('*') ?? []) : [];
  }

  #groupsNaming(token: string): number[][] {
    return [this.#groupsOfToken.get(token), this.#groupsOfExtended.get(token)].filter(
      (groups) => groups !== undefined,
    );
  }

  /** Length of the file in bytes. */
  get length(): number {
    return this.#bytes.length;
  }

  /**
   * The rules of some groups.
   *
   * @throws {BoundReached} if it takes too much to read them.
   */
  table(groups: readonly number[], budget: Budget): RuleTable {
    const key = groups.join(' ');
    const known = this.#tables.get(key);
    if (known !== undefined) return known;
    const { profile } = this.robots;
    budget.spend(groups.length);
    const rules = groups.flatMap((group) => this.#rules[group] as CollectedRule[]);
    const length = rules.reduce((sum, { valueStart, valueEnd }) => sum + valueEnd - valueStart, 0);
    budget.spend(rules.length * WORK_PER_RULE + length * WORK_PER_BYTE);
    const ranked = rankPatterns(this.#content, this.#bytes, rules, profile);
    const table = new RuleTable(this.#content, ranked);
    this.#tables.set(key, table);
    return table;
  }
}

function addAgent(
  written: Map<string, string>,
  groups: Map<string, number[]>,
  name: string,
  group: number,
): void {
  const key = name.toLowerCase();
  if (!written.has(key)) written.set(key, name);
  addGroup(groups, key, group);
}

function addGroup(groups: Map<string, number[]>, key: string, group: number): void {
  const known = groups.get(key);
  if (known === undefined) groups.set(key, [group]);
  else if (known.at(-1) !== group) known.push(group);
}
