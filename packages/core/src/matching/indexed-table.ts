/**
 * A rule table with an index of the second characters of its patterns, because the first is mostly `/`. Candidates for a path are found
 * with `indexOf`, which is many times as fast as trying the rules one after another.
 *
 * @module
 */
import { STAR } from '../bytes/ascii.ts';
import type { RankedPatterns } from './ranked-patterns.ts';
import { NONE, RuleTable, readUint32, writeUint32 } from './rule-table.ts';

/** Any character. Patterns are ASCII, so they do not contain it. */
const ANY = 0xff;
/** Bytes of an unindexed entry: its number (4), and a character that matching paths must contain, or {@link ANY} (1). */
const UNINDEXED_BYTES = 5;
/** The same with the mask of all characters that matching paths must contain (4). */
const MASKED_BYTES = 8;
/** With as many unindexed entries, one mask of the characters of a path is faster than searching one character for each. */
const MIN_MASKED = 4;

/**
 * The trailer of the table contains the unindexed entries, whose patterns match paths with different second characters, and then the
 * index: the second character of each entry, or {@link ANY}.
 */
export class IndexedTable extends RuleTable {
  readonly #unindexedCount: number;
  /** Whether unindexed entries have masks. */
  readonly #isMasked: boolean;

  constructor(content: string, ranked: RankedPatterns) {
    const { count } = ranked;
    const seconds = new Uint8Array(count);
    const unindexed: number[] = [];
    for (let entry = 0; entry < count; entry++) {
      seconds[entry] = getSecondCharacter(ranked, entry);
      if (seconds[entry] === ANY) unindexed.push(entry);
    }
    const isMasked = unindexed.length >= MIN_MASKED;
    const width = isMasked ? MASKED_BYTES : UNINDEXED_BYTES;
    const unindexedLength = unindexed.length * width;
    const trailer = new Uint8Array(unindexedLength + count);
    for (const [index, entry] of unindexed.entries()) {
      writeUint32(trailer, index * width, entry);
      if (isMasked) writeUint32(trailer, index * width + 4, getPatternMask(ranked, entry));
      else trailer[index * width + 4] = findRarestCharacter(ranked, entry);
    }
    trailer.set(seconds, unindexedLength);
    super(content, ranked, trailer);
    this.#unindexedCount = unindexed.length;
    this.#isMasked = isMasked;
  }

  override find(text: string, start: number): number {
    const { packed } = this;
    const seconds = packed.length - this.count;
    let best = NONE;
    const second = text.charAt(start + 1);
    if (second !== '') {
      const third = text.charCodeAt(start + 2);
      for (let at = packed.indexOf(second, seconds); at >= 0; at = packed.indexOf(second, at + 1)) {
        const entry = at - seconds;
        const required = this.third(entry);
        if ((required === 0 || required === third) && this.matches(entry, text, start)) {
          best = entry;
          break;
        }
      }
    }
    const isMasked = this.#isMasked;
    const width = isMasked ? MASKED_BYTES : UNINDEXED_BYTES;
    const mask = isMasked ? getPathMask(text, start) : 0;
    for (let at = seconds - this.#unindexedCount * width; at < seconds; at += width) {
      const isCandidate = isMasked
        ? (readUint32(packed, at + 4) & ~mask) === 0
        : containsCharacter(text, start, packed.charCodeAt(at + 4));
      if (!isCandidate) continue;
      const entry = readUint32(packed, at);
      if (entry > best) break;
      if (this.matches(entry, text, start)) return entry;
    }
    return best;
  }
}

/** Whether `text` contains a character at or after `start`. */
function containsCharacter(text: string, start: number, code: number): boolean {
  return code === ANY || text.includes(String.fromCharCode(code), start);
}

/** Returns the set of characters from `start` to the end of `text`: a bit for every 32nd character. */
function getPathMask(text: string, start: number): number {
  let mask = 0;
  for (let at = start; at < text.length; at++) mask |= 1 << text.charCodeAt(at);
  return mask;
}

/** Returns the same set of the characters of a pattern without its stars. */
function getPatternMask(ranked: RankedPatterns, entry: number): number {
  let mask = 0;
  const length = ranked.length(entry);
  for (let depth = 0; depth < length; depth++) {
    const code = ranked.charCodeAt(entry, depth);
    if (code !== STAR) mask |= 1 << code;
  }
  return mask;
}

/** Returns the second character of all paths that the pattern matches; {@link ANY} if it differs. */
function getSecondCharacter(ranked: RankedPatterns, entry: number): number {
  const second = ranked.charCodeAt(entry, 1);
  return Number.isNaN(second) || second === STAR || ranked.charCodeAt(entry, 0) === STAR ? ANY : second;
}

/** The common characters of paths, in ascending order of frequency. */
const COMMON = 'jqzxkvywbgfhdupmclnrtsioae-./';

/** The frequency rank of each ASCII character in paths: 0 for rare characters. The star has the highest rank, so it is never chosen. */
const COMMONNESS: Uint8Array = /* @__PURE__ */ createCommonness();

function createCommonness(): Uint8Array {
  const commonness = new Uint8Array(128);
  for (let rank = 0; rank < COMMON.length; rank++) commonness[COMMON.charCodeAt(rank)] = rank + 1;
  commonness[STAR] = COMMON.length + 1;
  return commonness;
}

/** Returns the rarest character of a pattern; {@link ANY} if it has none except stars. */
function findRarestCharacter(ranked: RankedPatterns, entry: number): number {
  let rarest = ANY;
  let least = COMMON.length + 1;
  const length = ranked.length(entry);
  for (let depth = 0; depth < length && least > 0; depth++) {
    const code = ranked.charCodeAt(entry, depth);
    const commonness = COMMONNESS[code] as number;
    if (commonness >= least) continue;
    least = commonness;
    rarest = code;
  }
  return rarest;
}
