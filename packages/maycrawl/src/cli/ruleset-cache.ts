/**
 * The rulesets that were used last, so that a robots.txt that comes again is not read again.
 *
 * @module
 */
import type { Ruleset } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';

/** How many bytes of robots.txt are kept, as they came. */
const MAX_BYTES = 16_000_000;
/** How many crawlers and readings are kept of each. */
const MAX_RULESETS = 64;
/** A file is looked up by about so many of its bytes; that it is the same is then seen by comparing all. */
const SAMPLES = 32;

/** A ruleset, and what was answered by it: the text of an answer for each line of the file that decided. */
export interface KnownRuleset {
  readonly ruleset: Ruleset;
  readonly answers: Map<number, string>;
}

interface KnownFile {
  readonly written: Buffer;
  readonly rulesets: Map<string, KnownRuleset>;
}

/** Keeps rulesets by the file that they are of, as it is written in a question, and by who asked how. */
export class RulesetCache {
  readonly #files: LRUCache<number, KnownFile> = new LRUCache({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ written }) => written.length + 1,
  });

  /** The rulesets of the file that is written in bytes `start` to `end`; `undefined` if there are none. */
  find(block: Buffer, start: number, end: number): ReadonlyMap<string, KnownRuleset> | undefined {
    const known = this.#files.get(sampleOf(block, start, end));
    return known?.written.compare(block, start, end) === 0 ? known.rulesets : undefined;
  }

  /** Keeps a ruleset. `question` tells who asked how: the same text means the same ruleset. */
  keep(written: Buffer, question: string, ruleset: Ruleset): void {
    const key = sampleOf(written, 0, written.length);
    let known = this.#files.get(key);
    if (!known?.written.equals(written) || known.rulesets.size === MAX_RULESETS) {
      // A copy: what came in is a part of a larger buffer, which it would hold.
      known = { written: Buffer.from(written), rulesets: new Map() };
      this.#files.set(key, known);
    }
    known.rulesets.set(question, { ruleset, answers: new Map() });
  }
}

/** A number of the length and some of the bytes (a hash, FNV-1a). */
function sampleOf(block: Buffer, start: number, end: number): number {
  const step = Math.max(1, Math.floor((end - start) / SAMPLES));
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += step) hash = Math.imul(hash ^ (block[at] as number), 0x01000193);
  return (end - start) * 2 ** 32 + (hash >>> 0);
}
