/**
 * An index of the groups of a file by the agents that they name. It is built in one pass over the file, so that selecting the groups
 * of many agents takes linear time.
 *
 * @module
 */
import { toByteString } from '../bytes/byte-string.ts';
import type { Preference } from '../crawler/crawler.ts';
import { ALLOW, DISALLOW, USER_AGENT } from '../syntax/fields.ts';
import { findExtendedTokenEnd, findTokenEnd, isGlobalAgent } from '../syntax/record.ts';
import type { RuleLines } from '../syntax/rule-lines.ts';
import type { RobotsTxt } from './robots-txt.ts';

const NO_GROUPS: readonly number[] = [];

/** Bytes of an entry without its text. */
const ENTRY_BYTES = 120;

/** The groups that a crawler obeys. */
export interface SelectedGroups {
  /** The bit of the selected groups; 0 if no group applies (collect.ts). */
  readonly chosen: number;
  /** Numbers of the groups: from 0, in file order. */
  readonly groups: readonly number[];
}

/** The agents that groups name. Groups are numbered from 0. */
export class AgentIndex {
  /** The product tokens that groups name, without `*`: from lower case to the first spelling in the file. */
  readonly tokens: ReadonlyMap<string, string>;
  /** The extended tokens that are not product tokens, in the same form. */
  readonly extendedTokens: ReadonlyMap<string, string>;
  readonly #groups: Map<string, number[]> = new Map();
  #sizeInBytes = 0;

  /** @param onRule - called for each rule with the lines at its line, and the number of its group. It must not read another file. */
  constructor(robots: RobotsTxt, onRule: (lines: RuleLines, group: number) => void = () => {}) {
    const tokens = new Map<string, string>();
    const extendedTokens = new Map<string, string>();
    const lines = robots.readRuleLines();
    const { bytes } = lines;
    let group = -1;
    let isListOpen = false;
    while (lines.next()) {
      const { kind, valueStart, valueEnd } = lines;
      if (kind === ALLOW || kind === DISALLOW) {
        isListOpen = false;
        if (group >= 0) onRule(lines, group);
      }
      if (kind !== USER_AGENT) continue;
      if (!isListOpen) group++;
      isListOpen = true;
      if (isGlobalAgent(bytes, valueStart, valueEnd)) {
        this.#add('*', group);
        continue;
      }
      const end = findTokenEnd(bytes, valueStart, valueEnd);
      const extendedEnd = findExtendedTokenEnd(bytes, end, valueEnd);
      if (end > valueStart) this.#addName(tokens, toByteString(bytes, valueStart, end), group);
      if (extendedEnd > end)
        this.#addName(extendedTokens, toByteString(bytes, valueStart, extendedEnd), group);
    }
    this.tokens = tokens;
    this.extendedTokens = extendedTokens;
  }

  /** Memory in bytes. */
  get sizeInBytes(): number {
    return this.#sizeInBytes;
  }

  /** Selects the groups that a crawler obeys. */
  select({ tokenSets, obeysGlobal }: Preference): SelectedGroups {
    for (const [rank, tokens] of tokenSets.entries()) {
      const lists = tokens.flatMap((token) => this.#named(token));
      const [first] = lists;
      if (first === undefined) continue;
      const groups = lists.length === 1 ? first : [...new Set(lists.flat())].sort((a, b) => a - b);
      return { chosen: 1 << rank, groups };
    }
    const global = obeysGlobal ? this.#groups.get('*') : undefined;
    return global === undefined
      ? { chosen: 0, groups: NO_GROUPS }
      : { chosen: 1 << tokenSets.length, groups: global };
  }

  #named(token: string): number[][] {
    const groups = this.#groups.get(token.toLowerCase());
    return groups === undefined ? [] : [groups];
  }

  #addName(names: Map<string, string>, written: string, group: number): void {
    const name = written.toLowerCase();
    if (!names.has(name)) {
      names.set(name, written);
      this.#sizeInBytes += ENTRY_BYTES + 2 * name.length;
    }
    this.#add(name, group);
  }

  #add(name: string, group: number): void {
    const groups = this.#groups.get(name);
    if (groups?.at(-1) === group) return;
    this.#sizeInBytes += 8;
    if (groups === undefined) this.#groups.set(name, [group]);
    else groups.push(group);
  }
}
