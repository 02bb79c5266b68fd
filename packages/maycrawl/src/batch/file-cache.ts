/**
 * The robots.txt files of questions with their rulesets and answers, so that a file that comes again is not parsed again. Unlike
 * RulesetCache of core, which has the rulesets of one file.
 *
 * @module
 */
import { crc32 } from 'node:zlib';
import type { CrawlerInput, RobotsTxt, Ruleset } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';

/** Maximum estimated memory of a cache in bytes. */
const MAX_BYTES = 32_000_000;
/** Memory from which on a cache is full: most of the added files replace others. */
const FULL_BYTES = 0.75 * MAX_BYTES;
/** A full cache takes one of this number of files that come again. */
const FULL_INTERVAL = 16;
/** Maximum number of rulesets of a file. */
const MAX_RULESETS = 64;
/** Memory of a cached result besides its text. */
const ANSWER_BYTES = 64;
/** Number of hashed bytes of a file. All bytes are compared afterwards. */
const SAMPLES = 32;
/** Number of stored hashes, a power of two. */
const MAX_SEEN = 65_536;

/** A ruleset, and its serialized results by the deciding line. */
export interface CachedRuleset {
  readonly ruleset: Ruleset;
  readonly answers: Map<number, string>;
}

/** A robots.txt in its serialized form in questions. */
export class CachedFile {
  readonly written: Buffer;
  /** Documents by key: profile, URL and encoding. */
  readonly #documents: Map<string, RobotsTxt> = new Map();
  /** Rulesets by key: that of the document, and the crawler. */
  readonly #rulesets: Map<string, CachedRuleset> = new Map();
  /** Number of lookups. */
  uses = 0;

  constructor(written: Buffer) {
    this.written = written;
  }

  /** Current memory in bytes. It grows with use, because rulesets build states lazily. */
  get sizeInBytes(): number {
    let bytes = this.written.length;
    for (const [key, document] of this.#documents) bytes += key.length + document.sizeInBytes;
    for (const [key, { ruleset, answers }] of this.#rulesets) {
      bytes += key.length + ruleset.sizeInBytes;
      for (const answer of answers.values()) bytes += answer.length + ANSWER_BYTES;
    }
    return bytes;
  }

  /** Returns a cached ruleset. */
  find(key: string): CachedRuleset | undefined {
    return this.#rulesets.get(key);
  }

  /** Compiles and caches a ruleset. @param read - parses the file. */
  compile(key: string, documentKey: string, read: () => RobotsTxt, crawler: CrawlerInput): CachedRuleset {
    if (this.#rulesets.size >= MAX_RULESETS) {
      this.#rulesets.clear();
      this.#documents.clear();
    }
    const document = this.#documents.get(documentKey) ?? read();
    const known = { ruleset: document.ruleset(crawler), answers: new Map() };
    this.#documents.set(documentKey, document);
    this.#rulesets.set(key, known);
    return known;
  }
}

/** Caches files, as they are written in questions, with their rulesets. */
export class FileCache {
  /** Hashes of files, each at the place of its last bits. A later hash replaces an earlier one. */
  readonly #seen: Float64Array = new Float64Array(MAX_SEEN);
  /** Number of files that came while the cache was full. */
  #declined = 0;
  readonly #files: LRUCache<number, CachedFile> = new LRUCache({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ sizeInBytes }) => sizeInBytes,
  });

  /** Memory in bytes at the last count. */
  get sizeInBytes(): number {
    return this.#files.calculatedSize;
  }

  /** Finds a file in its serialized form. @param sample - its {@link hashSample}. */
  find(written: Buffer, sample: number): CachedFile | undefined {
    let known = this.#get(sample, written);
    if (known === undefined && this.#files.has(sample)) known = this.#get(crc32(written), written);
    if (known === undefined) return undefined;
    // Counts the memory again whenever the uses have doubled.
    if ((++known.uses & (known.uses - 1)) === 0) this.add(known);
    return known;
  }

  #get(key: number, written: Buffer): CachedFile | undefined {
    const known = this.#files.get(key);
    return known?.written.equals(written) ? known : undefined;
  }

  /** Adds a file, or counts its memory again. */
  add(known: CachedFile): void {
    const { written } = known;
    const sample = hashSample(written);
    // All bytes are hashed if another file with the sample is stored.
    const key = this.#files.peek(sample)?.written.equals(written) === false ? crc32(written) : sample;
    // The cache does not count a value again that it contains.
    this.#files.delete(key);
    this.#files.set(key, known);
  }

  /**
   * Whether a file is worth adding, because it has probably been seen twice. Files that differ in a few bytes can have the same sample, so a file
   * whose sample has been seen is hashed completely. A full cache takes only some files (bimodal insertion; Qureshi and others, 2007): if more
   * files take turns than it can store, each would be parsed and then removed before it comes again.
   *
   * @param sample - its {@link hashSample}.
   */
  isWorthAdding(written: Buffer, sample: number): boolean {
    if (!this.#isSeen(sample) || !this.#isSeen(crc32(written))) return false;
    return this.sizeInBytes < FULL_BYTES || ++this.#declined % FULL_INTERVAL === 0;
  }

  #isSeen(hash: number): boolean {
    const place = hash & (MAX_SEEN - 1);
    if (this.#seen[place] === hash) return true;
    this.#seen[place] = hash;
    return false;
  }
}

/** Hashes the length and some of the bytes (FNV-1a). */
export function hashSample(bytes: Buffer): number {
  const { length } = bytes;
  const step = Math.max(1, Math.floor(length / SAMPLES));
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at += step) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return length * 2 ** 32 + (hash >>> 0);
}
