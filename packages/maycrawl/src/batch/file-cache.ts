/**
 * The robots.txt files of questions with their rulesets and answers, so that a file that comes again is not parsed again. Unlike
 * RulesetCache of core, which has the rulesets of one file.
 *
 * @module
 */
import type { CrawlerInput, RobotsTxt, Ruleset } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';

/** Memory that one cache takes at most, in bytes, as far as its files and rulesets know how much they take. */
const MAX_BYTES = 64_000_000;
/** How many crawlers and readings are kept of each file. */
const MAX_RULESETS = 64;
/** What an answer that is kept takes, besides its text. */
const ANSWER_BYTES = 64;
/** A file is looked up by about so many of its bytes; that it is the same is then seen by comparing all. */
const SAMPLES = 32;

/** A ruleset, and what was answered by it: the text of an answer for each line of the file that decided. */
export interface KnownRuleset {
  readonly ruleset: Ruleset;
  readonly answers: Map<number, string>;
}

/** A robots.txt as it is written in questions. */
export class KnownFile {
  readonly written: Buffer;
  /** By how the file is to be read. */
  readonly #documents: Map<string, RobotsTxt> = new Map();
  /** By how the file is to be read, and who asks. */
  readonly #rulesets: Map<string, KnownRuleset> = new Map();
  /** How often it was found. */
  uses = 0;

  constructor(written: Buffer) {
    this.written = written;
  }

  /** Memory in bytes that it takes now. It grows with use: some rulesets learn from the URLs that they meet. */
  get sizeInBytes(): number {
    let bytes = this.written.length;
    for (const [key, document] of this.#documents) bytes += key.length + document.sizeInBytes;
    for (const [key, { ruleset, answers }] of this.#rulesets) {
      bytes += key.length + ruleset.sizeInBytes;
      for (const answer of answers.values()) bytes += answer.length + ANSWER_BYTES;
    }
    return bytes;
  }

  /** The ruleset for a question whose text without the file and the URL is `asked`, if it was made before. */
  find(asked: string): KnownRuleset | undefined {
    return this.#rulesets.get(asked);
  }

  /** Makes the ruleset for such a question. The same text `reading` means the same document. */
  make(asked: string, reading: string, read: () => RobotsTxt, crawler: CrawlerInput): KnownRuleset {
    if (this.#rulesets.size >= MAX_RULESETS) {
      this.#rulesets.clear();
      this.#documents.clear();
    }
    const document = this.#documents.get(reading) ?? read();
    const known = { ruleset: document.ruleset(crawler), answers: new Map() };
    this.#documents.set(reading, document);
    this.#rulesets.set(asked, known);
    return known;
  }
}

/** Caches files, as they are written in questions, with their rulesets. */
export class FileCache {
  readonly #files: LRUCache<number, KnownFile> = new LRUCache({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ sizeInBytes }) => sizeInBytes,
  });

  /** Memory in bytes that all of it takes, when it was last counted. */
  get sizeInBytes(): number {
    return this.#files.calculatedSize;
  }

  /** The file that is written in bytes `start` to `end`, if it was kept. */
  find(block: Buffer, start: number, end: number): KnownFile | undefined {
    const known = this.#files.get(hashSample(block, start, end));
    if (known?.written.compare(block, start, end) !== 0) return undefined;
    // Counted anew each time that its uses have doubled.
    if ((++known.uses & (known.uses - 1)) === 0) this.keep(known);
    return known;
  }

  /** Keeps a file that is not kept yet, or has grown. */
  keep(known: KnownFile): void {
    const key = hashSample(known.written, 0, known.written.length);
    // The cache counts no value anew that it has already.
    this.#files.delete(key);
    this.#files.set(key, known);
  }
}

/** A number of the length and some of the bytes (a hash, FNV-1a). */
function hashSample(block: Buffer, start: number, end: number): number {
  const step = Math.max(1, Math.floor((end - start) / SAMPLES));
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += step) hash = Math.imul(hash ^ (block[at] as number), 0x01000193);
  return (end - start) * 2 ** 32 + (hash >>> 0);
}
