/**
 * The rule table for many decisions. It leaves the search for the few rules that may match to the engine's own search for
 * a character in a string, which is many times as fast as looking at one rule after another.
 *
 * @module
 */
import { STAR } from '../bytes/ascii.ts';
import type { RankedPatterns } from './ranked-patterns.ts';
import { NONE, RuleTable, readUint32, writeUint32 } from './rule-table.ts';

/** What stands where no certain character must stand. No pattern has it: they are ASCII. */
const ANY = 0xff;
/** Bytes for an entry with {@link ANY}: its number (4), and a character that the path must have anywhere, or ANY. */
const ANY_BYTES = 5;

/**
 * Behind the table stand the entries whose pattern has no certain second character, and then, for each entry, that second
 * character, or {@link ANY}.
 */
export class IndexedTable extends RuleTable {
  readonly #anyCount: number;

  constructor(content: string, ranked: RankedPatterns) {
    const { count } = ranked;
    const seconds = new Uint8Array(count);
    const anys: number[] = [];
    for (let entry = 0; entry < count; entry++) {
      seconds[entry] = getSecondCharacter(ranked, entry);
      if (seconds[entry] === ANY) anys.push(entry);
    }
    const anyLength = anys.length * ANY_BYTES;
    const further = new Uint8Array(anyLength + count);
    for (const [index, entry] of anys.entries()) {
      writeUint32(further, index * ANY_BYTES, entry);
      further[index * ANY_BYTES + 4] = findRarestCharacter(ranked, entry);
    }
    further.set(seconds, anyLength);
    super(content, ranked, further);
    this.#anyCount = anys.length;
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
    for (let at = seconds - this.#anyCount * ANY_BYTES; at < seconds; at += ANY_BYTES) {
      const somewhere = packed.charCodeAt(at + 4);
      if (somewhere !== ANY && !text.includes(String.fromCharCode(somewhere), start)) continue;
      const entry = readUint32(packed, at);
      if (entry > best) break;
      if (this.matches(entry, text, start)) return entry;
    }
    return best;
  }
}

/** The second character of every path that the pattern matches; {@link ANY} if it can be any. */
function getSecondCharacter(ranked: RankedPatterns, entry: number): number {
  const second = ranked.charCodeAt(entry, 1);
  return Number.isNaN(second) || second === STAR || ranked.charCodeAt(entry, 0) === STAR ? ANY : second;
}

/** The more common characters of paths, the most common last. */
const COMMON = 'jqzxkvywbgfhdupmclnrtsioae-./';

/** For each ASCII character how common it is in paths: 0 for the rare ones. A star is none. */
const COMMONNESS: Uint8Array = /* @__PURE__ */ createCommonness();

function createCommonness(): Uint8Array {
  const commonness = new Uint8Array(128);
  for (let rank = 0; rank < COMMON.length; rank++) commonness[COMMON.charCodeAt(rank)] = rank + 1;
  commonness[STAR] = COMMON.length + 1;
  return commonness;
}

/** The rarest character of a pattern; {@link ANY} if it has none. */
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
