// The rulesets of robots.txt files, and their costs.
import { type CrawlerInput, type RobotsTxt, type Ruleset, RulesetCache } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import { getCompileSteps } from '../limits/work.ts';

/** Bytes of the rulesets of one file; above that, all are dropped. */
const MAX_RULESET_BYTES = 32 * 1024 * 1024;
/** Bytes of the rulesets of all files. */
const MAX_BYTES = 128 * 1024 * 1024;
const OBJECT_BYTES = 1_000;

const [STAR, LF, CR] = [0x2a, 0x0a, 0x0d] as const;

export class DocumentRules {
  readonly robots: RobotsTxt;
  /** Bytes of the file that are parsed. */
  readonly fileBytes: number;
  /** Lines with a star: an upper bound of the rules with wildcards. */
  readonly starLines: number;
  /** Created at first use: for a large file the event loop never needs it (decider.ts). */
  #made: RulesetCache | undefined;
  /** The most recent crawler: consecutive requests usually have the same one. */
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

  get compilations(): number {
    return this.#compilations;
  }

  /** Bytes of the rulesets. They grow with use. */
  get sizeInBytes(): number {
    return OBJECT_BYTES + (this.#made?.sizeInBytes ?? 0);
  }

  /** Whether the size must be measured again: each time the number of uses has doubled. */
  get isDue(): boolean {
    return (this.#uses & (this.#uses - 1)) === 0;
  }

  /** Whether the rules for a crawler are compiled. */
  has(crawler: CrawlerInput): boolean {
    return this.#last?.crawler === crawler || this.#shared.has(crawler);
  }

  /** Estimates the steps of a decision for a crawler. */
  getSteps(crawler: CrawlerInput, url: string): number {
    const compileSteps = getCompileSteps(this.fileBytes);
    const matchSteps = this.getMatchSteps(url);
    return compileSteps <= matchSteps || this.has(crawler) ? matchSteps : compileSteps;
  }

  /** Estimates the steps of a decision with compiled rules. */
  getMatchSteps(url: string): number {
    return url.length * this.starLines;
  }

  /** Returns the rules for a crawler. */
  get(crawler: CrawlerInput): Ruleset {
    this.#uses++;
    if (this.#last?.crawler === crawler) return this.#last.ruleset;
    if (!this.#shared.has(crawler)) this.#compilations++;
    const ruleset = this.#shared.get(crawler);
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

/** The rulesets of the most recently used files. */
export class RulesCache {
  readonly #files: LRUCache<RobotsTxt, DocumentRules> = new LRUCache({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ sizeInBytes }) => sizeInBytes,
  });

  get(robots: RobotsTxt): DocumentRules {
    const known = this.#files.get(robots) ?? new DocumentRules(robots);
    if (known.isDue) {
      // The cache measures an entry only when it is set.
      this.#files.delete(robots);
      this.#files.set(robots, known);
    }
    return known;
  }
}
