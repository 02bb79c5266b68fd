// Minification: a smaller file with the same verdicts for every crawler and URL, and the same names and other
// records.
import { STAR } from '../bytes/ascii.ts';
import { parse, type RobotsTxt } from '../model/robots-txt.ts';
import { Budget, type ProofOptions } from './automata/budget.ts';
import { EquivalenceProver } from './equivalence.ts';
import { type RawRecord, readRawRecords, writeRawRecords } from './raw-records.ts';
import { compareRecords } from './record-comparison.ts';
import { flattenGroups, type GroupedRecords, groupRecords, mapRules, mergeGroups } from './record-groups.ts';
import { findRedundantRulesWithin } from './redundant-rules.ts';

export interface MinifyOptions extends ProofOptions {
  /**
   * Whether to keep the comments of the records that remain.
   *
   * @defaultValue `false`
   */
  readonly keepComments?: boolean;
}

/** The result of {@link minify}. */
export interface MinifyResult {
  /** The file. Never longer than the original. */
  readonly bytes: Uint8Array;
  /** Whether every proof finished within its budget. If not, redundant rules may remain. */
  readonly isComplete: boolean;
}

/**
 * Shares of the remaining budget: for redundant rules, for all attempts to remove stars, and for the proof of
 * one step.
 */
const SHARE_OF_REDUNDANT_RULES = 1 / 2;
const SHARE_OF_STARS = 1 / 4;
const SHARE_OF_PROOF = 1 / 2;
const WORK_PER_BYTE = 1 / 10;
/** Maximum number of rounds. Shorter patterns can make further rules redundant. */
const MAX_ROUNDS = 4;

/**
 * Makes a file smaller without a change of verdict for any crawler.
 *
 * First it removes comments, blank lines and spaces. Then it merges equivalent groups, removes redundant
 * rules, and removes stars at the end of patterns. Names of agents, sitemaps and all records outside the
 * protocol stay as written. A step that cannot be proved within the budget is not taken.
 *
 * "Any crawler" means the agents that the file names, the crawlers of the catalogue with their fallbacks, and
 * any other.
 */
export function minify(robots: RobotsTxt, options: MinifyOptions = {}): MinifyResult {
  return new Minifier(robots, options).run();
}

class Minifier {
  readonly #robots: RobotsTxt;
  readonly #keepComments: boolean;
  readonly #budget: Budget;
  #equivalence: EquivalenceProver | undefined;
  #smallest: Uint8Array;
  #isComplete = true;

  constructor(robots: RobotsTxt, options: MinifyOptions) {
    const { profile, maxBytes } = robots;
    this.#keepComments = options.keepComments ?? false;
    this.#budget = Budget.from('minify', options, { keepComments: 'boolean' });
    this.#smallest = robots.bytes;
    // Minification does not depend on the origin of the file.
    this.#robots = parse(this.#smallest, { profile, maxBytes });
  }

  run(): MinifyResult {
    const plain = writeRawRecords(readRawRecords(this.#robots, this.#keepComments));
    // The records and their order are unchanged: no proof is needed.
    if (plain.length < this.#smallest.length) this.#smallest = plain;
    for (let round = 0, hadStars = true; hadStars && round < MAX_ROUNDS; round++) hadStars = this.#shorten();
    return { bytes: this.#smallest, isComplete: this.#isComplete };
  }

  /** @returns whether it removed stars, which can make further rules redundant. */
  #shorten(): boolean {
    this.#try(this.#write(this.#group(this.#parse(this.#smallest))));
    // Redundant rules are those of the merged groups: removed from one of two equal groups, they would keep them apart.
    const robots = this.#parse(this.#smallest);
    const grouped = this.#group(robots);
    const found = this.#within(SHARE_OF_REDUNDANT_RULES, () =>
      findRedundantRulesWithin(robots, this.#budget, false),
    );
    if ((found?.undecided.length ?? 0) > 0) this.#isComplete = false;
    const redundant = new Set(found?.rules.map(({ line }) => line));
    const fewer = mapRules(grouped, (rule) => (redundant.has(rule.line) ? undefined : rule));
    if (redundant.size > 0) this.#try(this.#write(fewer));
    return this.#removeStars(fewer);
  }

  /**
   * Removes stars at the end of patterns: in all groups, or, if that changes a verdict, in ever smaller sets
   * of groups.
   */
  #removeStars(grouped: GroupedRecords): boolean {
    const groupsWithStars = grouped.groups
      .filter(({ rules }) => rules.some(hasTrailingStar))
      .map(({ index }) => index);
    let shorter = grouped;
    let hasChanged = false;
    const tryGroups = (groups: readonly number[]): void => {
      const chosen = new Set(groups);
      const next = mapRules(shorter, (rule, group) => (chosen.has(group) ? removeTrailingStars(rule) : rule));
      this.#budget.spend(this.#smallest.length * WORK_PER_BYTE);
      if (this.#try(this.#write(next))) {
        shorter = next;
        hasChanged = true;
      } else if (groups.length > 1) {
        const middle = groups.length >> 1;
        tryGroups(groups.slice(0, middle));
        tryGroups(groups.slice(middle));
      }
    };
    if (groupsWithStars.length > 0) {
      this.#within(SHARE_OF_STARS, () => {
        tryGroups(groupsWithStars);
        return true;
      });
    }
    return hasChanged;
  }

  #group(robots: RobotsTxt): GroupedRecords {
    return groupRecords(readRawRecords(robots, this.#keepComments));
  }

  #write(grouped: GroupedRecords): Uint8Array {
    return writeRawRecords(flattenGroups(mergeGroups(grouped)));
  }

  /** Accepts a file if it is smaller and proved equivalent. */
  #try(bytes: Uint8Array): boolean {
    if (bytes.length >= this.#smallest.length) return false;
    const after = this.#parse(bytes);
    const isSame = this.#within(SHARE_OF_PROOF, () => {
      this.#equivalence ??= new EquivalenceProver(this.#robots, this.#budget);
      const budget = this.#budget;
      return (
        compareRecords(this.#robots, after, { budget }).equivalent === true &&
        this.#equivalence.isEquivalent(after)
      );
    });
    if (isSame === true) this.#smallest = bytes;
    return isSame === true;
  }

  #within<T>(share: number, prove: () => T): T | undefined {
    const result = this.#budget.runWithin(share, prove);
    if (result === undefined) this.#isComplete = false;
    return result;
  }

  #parse(bytes: Uint8Array): RobotsTxt {
    const { profile, maxBytes } = this.#robots;
    return parse(bytes, { profile, maxBytes });
  }
}

function hasTrailingStar({ value }: RawRecord): boolean {
  return value.length > 1 && value.charCodeAt(value.length - 1) === STAR;
}

/** Removes the stars at the end of a pattern. A pattern that is a single star stays. */
function removeTrailingStars(rule: RawRecord): RawRecord {
  let { length } = rule.value;
  while (length > 1 && rule.value.charCodeAt(length - 1) === STAR) length--;
  return { ...rule, value: rule.value.slice(0, length) };
}
