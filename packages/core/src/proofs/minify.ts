/**
 * The smallest file that can be found with the same verdicts for every crawler and URL, and the same names and other records.
 *
 * @module
 */
import { STAR } from '../bytes/ascii.ts';
import { parse } from '../model/parse.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import { agentsNamedBy, compareRecords } from './agent-records.ts';
import { Budget, type ProofOptions } from './automata/budget.ts';
import { type Blocks, changeRules, mergeBlocks, toBlocks, toLines } from './blocks.ts';
import { Original } from './original.ts';
import { findRedundantRulesWithin } from './redundant-rules.ts';
import { readLines, type WrittenLine, writeLines } from './written-lines.ts';

export interface MinifyOptions extends ProofOptions {
  /**
   * Keep the comments of what is kept.
   *
   * @defaultValue `false`
   */
  readonly comments?: boolean;
}

/** A smaller file, or the same one. */
export interface Minified {
  /** The file: never longer than before. */
  readonly bytes: Uint8Array;
  /** Whether every attempt to make it smaller came to an end. Otherwise rules may be left that decide nothing. */
  readonly isComplete: boolean;
}

/** Of what is left, this much may go into redundant rules, and into all attempts to remove stars. The rest is for what follows. */
const SHARE_OF_REDUNDANT_RULES = 1 / 2;
const SHARE_OF_STARS = 1 / 4;
/** A proof that nothing changed takes as long as what changed is hard; it may not take all. */
const SHARE_OF_PROOF = 1 / 2;
/** Work to write a byte. */
const WORK_PER_BYTE = 1 / 10;
/** Shorter patterns can make further rules redundant. */
const MAX_ROUNDS = 4;

/**
 * Makes a file smaller. Comments, blank lines and spaces go first; then groups that say the same become one, rules go that change
 * no verdict, and stars at the end of patterns. The names of agents stay as they are written, and so do sitemaps and all records
 * that are no part of the protocol. What cannot be proved within the budget is left as it is.
 *
 * Every crawler is one that the file names, one of the catalogue with its fallbacks, or any other.
 */
export function minify(robots: RobotsTxt, options: MinifyOptions = {}): Minified {
  return new Minifier(robots, options).run();
}

class Minifier {
  readonly #robots: RobotsTxt;
  readonly #keepComments: boolean;
  readonly #budget: Budget;
  #original: Original | undefined;
  #best: Uint8Array;
  #isComplete = true;

  constructor(robots: RobotsTxt, options: MinifyOptions) {
    const { profile, maxBytes } = robots;
    this.#keepComments = options.comments ?? false;
    this.#budget = Budget.from(options);
    this.#best = robots.bytes;
    // Where it stands does not matter.
    this.#robots = parse(this.#best, { profile, maxBytes });
  }

  run(): Minified {
    const plain = writeLines(readLines(this.#robots, this.#keepComments));
    // The same records in the same order: there is nothing to prove.
    if (plain.length < this.#best.length) this.#best = plain;
    for (let round = 0, hadStars = true; hadStars && round < MAX_ROUNDS; round++) hadStars = this.#shorten();
    return { bytes: this.#best, isComplete: this.#isComplete };
  }

  /** @returns whether stars went: then there can be more to remove. */
  #shorten(): boolean {
    const robots = this.#parse(this.#best);
    const blocks = toBlocks(readLines(robots, this.#keepComments));
    this.#try(this.#write(blocks));
    const weight = this.#within(SHARE_OF_REDUNDANT_RULES, () =>
      findRedundantRulesWithin(robots, this.#budget, false),
    );
    if ((weight?.undecided.length ?? 0) > 0) this.#isComplete = false;
    const redundant = new Set(weight?.rules.map(({ line }) => line));
    const fewer = changeRules(blocks, (rule) => (redundant.has(rule.line) ? undefined : rule));
    if (redundant.size > 0) this.#try(this.#write(fewer));
    return this.#tryWithoutStars(fewer);
  }

  /** Removes stars at the end of patterns: of all, and where that changes a verdict of ever fewer groups. */
  #tryWithoutStars(blocks: Blocks): boolean {
    const withStars = blocks.blocks.filter(({ rules }) => rules.some(hasStarAtEnd)).map(({ place }) => place);
    let shorter = blocks;
    let hasChanged = false;
    const tryPlaces = (places: readonly number[]): void => {
      const chosen = new Set(places);
      const next = changeRules(shorter, (rule, place) => (chosen.has(place) ? withoutStars(rule) : rule));
      this.#budget.spend(this.#best.length * WORK_PER_BYTE);
      if (this.#try(this.#write(next))) {
        shorter = next;
        hasChanged = true;
      } else if (places.length > 1) {
        const middle = places.length >> 1;
        tryPlaces(places.slice(0, middle));
        tryPlaces(places.slice(middle));
      }
    };
    if (withStars.length > 0) {
      this.#within(SHARE_OF_STARS, () => {
        tryPlaces(withStars);
        return true;
      });
    }
    return hasChanged;
  }

  #write(blocks: Blocks): Uint8Array {
    return writeLines(toLines(mergeBlocks(blocks, agentsNamedBy)));
  }

  /** Takes a file if it is smaller, and says the same. */
  #try(bytes: Uint8Array): boolean {
    if (bytes.length >= this.#best.length) return false;
    const after = this.#parse(bytes);
    const isSame = this.#within(SHARE_OF_PROOF, () => {
      this.#original ??= new Original(this.#robots, this.#budget);
      const budget = this.#budget;
      return (
        compareRecords(this.#robots, after, { budget }).isSame === true && this.#original.isEquivalent(after)
      );
    });
    if (isSame === true) this.#best = bytes;
    return isSame === true;
  }

  #within<T>(share: number, prove: () => T): T | undefined {
    const result = this.#budget.within(share, prove);
    if (result === undefined) this.#isComplete = false;
    return result;
  }

  #parse(bytes: Uint8Array): RobotsTxt {
    const { profile, maxBytes } = this.#robots;
    return parse(bytes, { profile, maxBytes });
  }
}

function hasStarAtEnd({ value }: WrittenLine): boolean {
  return value.length > 1 && value.charCodeAt(value.length - 1) === STAR;
}

/** The same pattern without stars at its end; a star that is all of it stays. */
function withoutStars(rule: WrittenLine): WrittenLine {
  let { length } = rule.value;
  while (length > 1 && rule.value.charCodeAt(length - 1) === STAR) length--;
  return { ...rule, value: rule.value.slice(0, length) };
}
