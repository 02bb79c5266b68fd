/**
 * The rulesets that were used last, so that a robots.txt that comes again is not read again.
 *
 * @module
 */
import type { Ruleset } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';

/** How many characters of robots.txt are kept, as they came. */
const MAX_LENGTH = 16_000_000;
/** How many crawlers and readings are kept of each. */
const MAX_RULESETS = 64;

/** Keeps rulesets by the file that they are of, and by who asked how. */
export class RulesetCache {
  readonly #files: LRUCache<string, Map<string, Ruleset>> = new LRUCache({
    maxSize: MAX_LENGTH,
    sizeCalculation: (_rulesets, content) => content.length + 1,
  });

  /**
   * The ruleset that was made for the same file and question, or a new one.
   *
   * @param content - the file as it came.
   * @param question - crawler and reading: the same text means the same ruleset.
   */
  get(content: string, question: string, make: () => Ruleset): Ruleset {
    let rulesets = this.#files.get(content);
    if (rulesets === undefined || rulesets.size === MAX_RULESETS) {
      rulesets = new Map();
      this.#files.set(content, rulesets);
    }
    let ruleset = rulesets.get(question);
    if (ruleset === undefined) {
      ruleset = make();
      rulesets.set(question, ruleset);
    }
    return ruleset;
  }
}
