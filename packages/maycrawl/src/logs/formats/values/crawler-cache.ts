// Recognition of crawlers, with a cache of User-Agent headers by their bytes. Most of the lines of a log have one of a few headers, and a
// hostile log has a new one in every line: the cache is bounded by the number and the length of the headers.

/** A header that was looked up. */
export interface KnownHeader {
  /** The name of the crawler; `undefined` if the header names none. */
  readonly crawler: string | undefined;
  /** The header of a crawler; empty for other ones. */
  readonly userAgent: string;
}

interface CachedHeader extends KnownHeader {
  /** The header as it stands in the line. */
  readonly words: DataView;
}

/** Headers of one generation. */
const MAX_HEADERS = 2_048;
const MAX_LENGTH = 1_024;
/** Bytes that are hashed and compared in one step. */
const WORD = 4;

/** Looks up User-Agent headers. Of two headers with the same hash, the cache has the last one. */
export class CrawlerCache {
  readonly #recognize: (userAgent: string) => string | undefined;
  /** The headers that were used last. When they are too many, they become the old ones: headers in use come back. */
  #recent = new Map<number, CachedHeader>();
  #old = new Map<number, CachedHeader>();
  readonly #texts = new Map<string, KnownHeader>();
  /** The memory of the block. */
  #words: DataView = new DataView(new ArrayBuffer(0));

  constructor(recognize: (userAgent: string) => string | undefined) {
    this.#recognize = recognize;
  }

  /**
   * Looks up the header in `block[start, end)`.
   *
   * @param decode - returns the header of a new one.
   */
  find(
    block: Buffer,
    start: number,
    end: number,
    decode: (block: Buffer, start: number, end: number) => string,
  ): KnownHeader {
    const length = end - start;
    if (length > MAX_LENGTH || length < WORD) return this.#lookUp(decode(block, start, end));
    if (this.#words.buffer !== block.buffer) this.#words = new DataView(block.buffer);
    const words = this.#words;
    const from = block.byteOffset + start;
    const hash = hashWords(words, from, from + length);
    const recent = this.#recent.get(hash);
    if (recent !== undefined && isEqual(recent.words, words, from, length)) return recent;
    const old = this.#old.get(hash);
    const found =
      old !== undefined && isEqual(old.words, words, from, length)
        ? old
        : {
            ...this.#lookUp(decode(block, start, end)),
            words: new DataView(Uint8Array.from(block.subarray(start, end)).buffer),
          };
    if (this.#recent.size >= MAX_HEADERS) {
      this.#old = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(hash, found);
    return found;
  }

  /** Looks up a header that is decoded already. */
  findText(userAgent: string): KnownHeader {
    if (userAgent.length > MAX_LENGTH) return this.#lookUp(userAgent);
    const found = this.#texts.get(userAgent) ?? this.#lookUp(userAgent);
    if (this.#texts.size >= MAX_HEADERS) this.#texts.clear();
    this.#texts.set(userAgent, found);
    return found;
  }

  #lookUp(userAgent: string): KnownHeader {
    const crawler = this.#recognize(userAgent);
    return { crawler, userAgent: crawler === undefined ? '' : userAgent };
  }
}

/** FNV-1a, over words. The last word overlaps the one before it. The result is a small integer of V8. */
function hashWords(words: DataView, start: number, end: number): number {
  let hash = 0x811c9dc5 ^ (end - start);
  const last = end - WORD;
  for (let at = start; at < last; at += WORD) {
    hash = Math.imul(hash ^ words.getInt32(at, true), 0x01000193);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ words.getInt32(last, true), 0x01000193);
  return (hash ^ (hash >>> 13)) & 0x3fff_ffff;
}

function isEqual(stored: DataView, words: DataView, start: number, length: number): boolean {
  if (stored.byteLength !== length) return false;
  const last = length - WORD;
  for (let at = 0; at < last; at += WORD)
    if (stored.getInt32(at, true) !== words.getInt32(start + at, true)) return false;
  return stored.getInt32(last, true) === words.getInt32(start + last, true);
}
