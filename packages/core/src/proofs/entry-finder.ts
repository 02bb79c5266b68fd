/**
 * Which of some rules wins for one path, where some of them are left out. Unlike an automaton it need not be made anew when others
 * are left out.
 *
 * @module
 */
import { matchesPatternRange } from '../matching/pattern.ts';
import { NONE } from '../matching/rule-table.ts';
import type { Budget } from './automata/budget.ts';
import type { Rules } from './automata/rule-walk.ts';

/** Work for each beginning of a path that is looked up, and for each pattern with a star that is tried, and its characters. */
const WORK_PER_CHARACTER = 1 / 2;
const WORK_PER_PATTERN = 1 / 2;
/** A longer path has too many beginnings. */
const MAX_LENGTH = 1000;

/** Finds the winner among rules that are compared with paths as they stand. */
export class EntryFinder {
  readonly #rules: Rules;
  /** Entries without a star by their patterns, in the order in which they win. */
  readonly #plain: Map<string, number[]> = new Map();
  readonly #anchored: Map<string, number[]> = new Map();
  readonly #withStar: number[] = [];

  constructor(rules: Rules) {
    this.#rules = rules;
    for (let entry = 0; entry < rules.count; entry++) {
      const { pattern, isAnchored, hasStar } = rules.read(entry);
      if (hasStar) {
        this.#withStar.push(entry);
        continue;
      }
      const entries = isAnchored ? this.#anchored : this.#plain;
      const own = entries.get(pattern);
      if (own === undefined) entries.set(pattern, [entry]);
      else own.push(entry);
    }
  }

  /**
   * The entry that wins for a path, or `NONE`; `undefined` if the path is too long to find out.
   *
   * @param isGone - whether an entry is left out.
   * @throws {BoundReached} if it takes more than is left.
   */
  find(path: string, isGone: (entry: number) => boolean, budget: Budget): number | undefined {
    if (path.length > MAX_LENGTH) return undefined;
    budget.spend(1 + path.length * WORK_PER_CHARACTER);
    const isLeft = (entry: number): boolean => !isGone(entry);
    let best = this.#anchored.get(path)?.find(isLeft) ?? NONE;
    for (let length = 0; length <= path.length; length++)
      best = Math.min(best, this.#plain.get(path.slice(0, length))?.find(isLeft) ?? NONE);
    for (const entry of this.#withStar) {
      if (entry >= best) break;
      const { pattern, isAnchored } = this.#rules.read(entry);
      budget.spend(WORK_PER_PATTERN * (1 + (pattern.length + path.length) / 16));
      if (isLeft(entry) && matchesPatternRange(pattern, 0, pattern.length, isAnchored, path, 0)) return entry;
    }
    return best;
  }
}
