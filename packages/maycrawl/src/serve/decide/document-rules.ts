/**
 * The rulesets of one robots.txt, and what they cost.
 *
 * @module
 */
import { type CrawlerInput, type RobotsTxt, type Ruleset, RulesetCache } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import { getCompileSteps, type Work } from '../limits/work.ts';

/** Memory in bytes of the rulesets of one file; beyond that all are dropped and compiled again when they are needed. */
const MAX_RULESET_BYTES = 32 * 1024 * 1024;
/** Memory in bytes of the rulesets of all files. */
const MAX_BYTES = 128 * 1024 * 1024;
const OBJECT_BYTES = 1_000;

const [STAR, LF, CR] = [0x2a, 0x0a, 0x0d] as const;

/** The rulesets of one file. */
export class DocumentRules {
  readonly robots: RobotsTxt;
  /** Bytes of the file that count. */
  readonly fileBytes: number;
  /** Lines with a star: at least as many as there are rules with one. */
  readonly starLines: number;
  /** Made at first use: the event loop never compiles the rules of a large file (decider.ts). */
  #made: RulesetCache | undefined;
  /** The last crawler, and its rules: most questions in a row are about one crawler. */
  #last: { readonly crawler: CrawlerInput; readonly ruleset: Ruleset } | undefined;
  #uses = 0;
  #compilations = 0;

  constructor(robots: RobotsTxt) {
    const { bytes } = robots;
    this.robots = robots;
    this.fileBytes = bytes.length;
    this.starLines = countStarLines(bytes);
  }

  get #shared(): RulesetCache {
    this.#made ??= new RulesetCache(this.robots, { maxBytes: MAX_RULESET_BYTES });
    return this.#made;
  }

  /** How often rules were compiled. */
  get compilations(): number {
    return this.#compilations;
  }

  /** Memory in bytes of the rulesets as they are now: they grow with use. */
  get sizeInBytes(): number {
    return OBJECT_BYTES + (this.#made?.sizeInBytes ?? 0);
  }

  /** Whether the memory must be counted again: whenever the number of uses has doubled. */
  get isDue(): boolean {
    return (this.#uses & (this.#uses - 1)) === 0;
  }

  /** Whether the rules for a crawler are compiled. */
  has(crawler: CrawlerInput): boolean {
    return this.#last?.crawler === crawler || this.#shared.has(crawler);
  }

  /** Steps that a decision takes at most, with compiled rules. */
  getMatchSteps(url: string): number {
    return url.length * this.starLines;
  }

  /**
   * The rules for a crawler.
   *
   * @param work - pays for compiling them.
   * @throws {Problem} if they are not compiled yet, and the work is used up.
   */
  get(crawler: CrawlerInput, work?: Work): Ruleset {
    this.#uses++;
    if (this.#last?.crawler === crawler) return this.#last.ruleset;
    const steps = this.#shared.has(crawler) ? 0 : getCompileSteps(this.fileBytes);
    work?.require(steps);
    const ruleset = this.#shared.get(crawler);
    work?.addDecision(steps);
    if (steps > 0) this.#compilations++;
    this.#last = { crawler, ruleset };
    return ruleset;
  }
}

function countStarLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(STAR); at >= 0; at = bytes.indexOf(STAR, at)) {
    count++;
    while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at++;
  }
  return count;
}

/** The rulesets of the files that were used last. */
export class RulesCache {
  readonly #files: LRUCache<RobotsTxt, DocumentRules> = new LRUCache({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ sizeInBytes }) => sizeInBytes,
  });

  /** The rulesets of a file. */
  get(robots: RobotsTxt): DocumentRules {
    const known = this.#files.get(robots) ?? new DocumentRules(robots);
    if (known.isDue) {
      // The cache does not count a value again that it has already.
      this.#files.delete(robots);
      this.#files.set(robots, known);
    }
    return known;
  }
}
