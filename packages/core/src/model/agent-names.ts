// The agents that the groups of a file name, from agents to groups, so that selecting the groups of many agents takes linear time.
import { toByteString } from '../bytes/byte-string.ts';
import type { AgentTokens } from '../crawler/crawler.ts';
import { findExtendedTokenEnd, findTokenEnd, isGlobalAgent } from '../syntax/record.ts';

const NO_GROUPS: readonly number[] = [];

/** Bytes of an entry without its text. */
const ENTRY_BYTES = 120;

export interface SelectedGroups {
  /** The bit of the selected groups; 0 if no group applies (collect.ts). */
  readonly chosen: number;
  /** Numbers of the groups, in file order. */
  readonly groups: readonly number[];
}

/** The agents that groups name. Groups have numbers, which grow in file order. */
export class AgentNames {
  /** The product tokens that groups name, without `*`: from lower case to the first spelling in the file. */
  readonly tokens: Map<string, string> = new Map();
  /** The extended tokens that are not product tokens, in the same form. */
  readonly extendedTokens: Map<string, string> = new Map();
  readonly #groups: Map<string, number[]> = new Map();
  #sizeInBytes = 0;

  /** All names that select groups, in lower case: `*`, the tokens, and an empty one if a value has no product token. */
  get names(): Iterable<string> {
    return this.#groups.keys();
  }

  get sizeInBytes(): number {
    return this.#sizeInBytes;
  }

  add(bytes: Uint8Array, start: number, end: number, group: number): void {
    if (isGlobalAgent(bytes, start, end)) {
      this.#add('*', group);
      return;
    }
    const tokenEnd = findTokenEnd(bytes, start, end);
    const extendedEnd = findExtendedTokenEnd(bytes, tokenEnd, end);
    // Only the empty bare token names a value without a product token.
    if (tokenEnd === start) this.#add('', group);
    else this.#addName(this.tokens, toByteString(bytes, start, tokenEnd), group);
    if (extendedEnd > tokenEnd)
      this.#addName(this.extendedTokens, toByteString(bytes, start, extendedEnd), group);
  }

  select({ tokenSets, obeysGlobal }: Pick<AgentTokens, 'tokenSets' | 'obeysGlobal'>): SelectedGroups {
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
