// Finds the winning rule for one path among a subset of rules. Unlike an automaton, it needs no construction
// per subset.
import { addToList } from '../bytes/add-to-list.ts';
import { matchesPatternRange } from '../matching/pattern.ts';
import { NONE } from '../matching/rule-table.ts';
import type { Budget } from './automata/budget.ts';
import type { Rules } from './automata/rule-automaton.ts';

/** Units of work per prefix of a path, and per pattern with a star. */
const WORK_PER_CHARACTER = 1 / 2;
const WORK_PER_PATTERN = 1 / 2;
/** Maximum length of a path: the lookup of all prefixes is quadratic. */
const MAX_LENGTH = 1000;

/** Finds winners under a profile that compares paths in one form. */
export class WinnerFinder {
  readonly #rules: Rules;
  /** Entries without a star by pattern, in match order. */
  readonly #plain: Map<string, number[]> = new Map();
  readonly #anchored: Map<string, number[]> = new Map();
  /** The lengths of the patterns in {@link #plain}, ascending. */
  readonly #plainLengths: readonly number[];
  readonly #withStar: number[] = [];

  constructor(rules: Rules) {
    this.#rules = rules;
    for (let entry = 0; entry < rules.count; entry++) {
      const { pattern, isAnchored, hasStar } = rules.read(entry);
      if (hasStar) {
        this.#withStar.push(entry);
        continue;
      }
      addToList(isAnchored ? this.#anchored : this.#plain, pattern, entry);
    }
    const lengths = new Set([...this.#plain.keys()].map(({ length }) => length));
    this.#plainLengths = [...lengths].sort((a, b) => a - b);
  }

  /**
   * Finds the winner for a path.
   *
   * @param isRemoved - returns whether an entry is not in the subset.
   * @returns the entry, or `NONE`; `undefined` if the path is too long.
   * @throws {BudgetExceededError} if this exceeds the budget.
   */
  find(path: string, isRemoved: (entry: number) => boolean, budget: Budget): number | undefined {
    if (path.length > MAX_LENGTH) return undefined;
    budget.spend(1 + path.length * WORK_PER_CHARACTER);
    const isInSubset = (entry: number): boolean => !isRemoved(entry);
    let best = this.#anchored.get(path)?.find(isInSubset) ?? NONE;
    for (const length of this.#plainLengths) {
      if (length > path.length) break;
      best = Math.min(best, this.#plain.get(path.slice(0, length))?.find(isInSubset) ?? NONE);
    }
    for (const entry of this.#withStar) {
      if (entry >= best) break;
      const { pattern, isAnchored } = this.#rules.read(entry);
      budget.spend(WORK_PER_PATTERN * (1 + (pattern.length + path.length) / 16));
      if (isInSubset(entry) && matchesPatternRange(pattern, 0, pattern.length, isAnchored, path, 0))
        return entry;
    }
    return best;
  }
}
