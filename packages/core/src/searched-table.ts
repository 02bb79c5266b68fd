/**
 * The rule table for many decisions. It leaves the search for the few rules that may match to the engine's own search for
 * a character in a string, which is many times as fast as looking at one rule after another.
 *
 * @module
 */
import { type Candidate, four, NONE, RuleTable, readFour } from './rule-table.ts';

/** What stands where no certain character must stand. No pattern has it: they are ASCII. */
const ANY = 0xff;
/** Bytes for an entry with {@link ANY}: its number (4), and a character that the path must have anywhere, or ANY. */
const ANY_BYTES = 5;

/**
 * Behind the table stand the entries whose pattern has no certain second character, and then, for each entry, that second
 * character, or {@link ANY}.
 */
export class SearchedTable extends RuleTable {
  readonly #anyCount: number;

  constructor(content: string, candidates: readonly Candidate[]) {
    const seconds = candidates.map(({ kept }) => requiredAt(kept, 1));
    const anys: string[] = [];
    for (const [entry, { kept }] of candidates.entries()) {
      if (seconds[entry] === ANY) anys.push(four(entry), String.fromCharCode(rarestOf(kept)));
    }
    super(content, candidates, [...anys, ...seconds.map((code) => String.fromCharCode(code))].join(''));
    this.#anyCount = anys.length / 2;
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
      const entry = readFour(packed, at);
      if (entry > best) break;
      if (this.matches(entry, text, start)) return entry;
    }
    return best;
  }
}

/** The character that must stand at `depth` of a path that the pattern matches; {@link ANY} if none must. */
function requiredAt(pattern: string, depth: number): number {
  const star = pattern.indexOf('*');
  return depth < (star < 0 ? pattern.length : star) ? pattern.charCodeAt(depth) : ANY;
}

/** The more common characters of paths, the most common last. */
const COMMON = 'jqzxkvywbgfhdupmclnrtsioae-./';

/** The rarest character of a pattern; {@link ANY} if it has none. */
function rarestOf(pattern: string): number {
  let rarest = ANY;
  let rank = COMMON.length;
  for (const character of pattern) {
    const own = COMMON.indexOf(character);
    if (character === '*' || own >= rank) continue;
    rank = own;
    rarest = character.charCodeAt(0);
  }
  return rarest;
}
