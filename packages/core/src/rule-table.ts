/**
 * A crawler's rules in the order in which they win, packed into one byte string, and a way to find the winner among them
 * that needs no more than that. The automaton is built from the same table.
 *
 * Of all rules that match, the longest wins; of equally long ones an allow rule; of equal ones of a kind the first in the
 * file. That is one order, so the winner is the first rule of the table that matches.
 *
 * @module
 */
import { DOLLAR, SLASH, STAR } from './ascii.ts';
import type { CollectedRule } from './collect.ts';
import { escapeValue } from './escape.ts';
import { OBJECT_BYTES, stringBytes } from './memory.ts';
import { directoryPattern } from './pattern.ts';
import { comparedPattern } from './percent-encoding.ts';
import type { Profile } from './profile.ts';
import { searchPart } from './search.ts';

/** No rule. As the number of an entry it is beyond all others. */
export const NONE = 0x7fff_ffff;

/**
 * A table is a byte string of four parts:
 * 1. for each entry the second character of its pattern, if it has one that must be there, else {@link ANY};
 * 2. for each entry with {@link ANY} its number (4 bytes) and its hint: a character that the path must have, or {@link ANY};
 * 3. for each entry a header: flags, the pattern's third character or {@link ANY}, line (4), where its value starts (4),
 *    length of the pattern (2);
 * 4. patterns that are not what their value begins with. Before each stands where the value starts (4), and the header
 *    tells where in the table that is.
 *
 * Searching the first part is left to the engine's own search for a character: many times as fast as looking at each.
 */
const ANY = 0xff;
const ANY_BYTES = 5;
const HEADER = 12;
const THIRD = 1;
const LINE = 2;
const START = 6;
const LENGTH = 10;

const ALLOW_FLAG = 1;
/** A disallow rule that is not empty. */
const FORBIDS_FLAG = 2;
/** The pattern ends with `$`, which is not part of what is kept of it. */
const ANCHORED_FLAG = 4;
/** The pattern is the further one of a rule for an index page. */
const DIRECTORY_FLAG = 8;
/** The pattern stands in the table. */
const OWN_FLAG = 16;
/** The pattern has a star. */
const STAR_FLAG = 32;

/** A value that is compared as it stands: nothing in it is escaped, decoded or special. */
const PLAIN_VALUE = /^\/[!-#&-)+-~]*$/;

interface Candidate {
  readonly flags: number;
  readonly line: number;
  readonly valueStart: number;
  /** Length of the pattern as it is written. */
  readonly priority: number;
  /** The pattern as it is compared, reduced. */
  readonly kept: string;
}

/**
 * Packs rules, given in the order of the file, into a table.
 *
 * @param content - the file as a byte string.
 * @param bytes - the same as bytes.
 */
export function packRules(
  content: string,
  bytes: Uint8Array,
  rules: readonly CollectedRule[],
  profile: Profile,
): RuleTable {
  const candidates: Candidate[] = [];
  for (const rule of rules) addCandidates(candidates, content, bytes, rule, profile);
  // The sort is stable, so the order of the file decides last.
  candidates.sort((a, b) => b.priority - a.priority || (b.flags & ALLOW_FLAG) - (a.flags & ALLOW_FLAG));
  const last = candidates.findIndex(matchesAll);
  return new RuleTable(content, last < 0 ? candidates : candidates.slice(0, last + 1));
}

function addCandidates(
  candidates: Candidate[],
  content: string,
  bytes: Uint8Array,
  { isAllow, line, valueStart, valueEnd }: CollectedRule,
  profile: Profile,
): void {
  const written = content.slice(valueStart, valueEnd);
  const isPlain = profile.comparison === 'escaped' && PLAIN_VALUE.test(written);
  const value = isPlain ? written : escapeValue(bytes, valueStart, valueEnd);
  const patterns = patternsOf(value, isAllow, profile);
  for (let further = 0; further < patterns.length; further++) {
    const pattern = patterns[further] as string;
    const first = pattern.charCodeAt(0);
    // Every path starts with a slash, so this can never match.
    if (pattern !== '' && first !== SLASH && first !== STAR) continue;
    let flags = (isAllow ? ALLOW_FLAG : value === '' ? 0 : FORBIDS_FLAG) | (further > 0 ? DIRECTORY_FLAG : 0);
    let kept = pattern;
    if (!isPlain || further > 0) {
      const compared = profile.comparison === 'decoded' ? comparedPattern(pattern) : pattern;
      const reduced = reducePattern(compared);
      kept = reduced.pattern;
      if (reduced.anchored) flags |= ANCHORED_FLAG;
      if (kept.includes('*')) flags |= STAR_FLAG;
      if (!written.startsWith(kept)) flags |= OWN_FLAG;
    }
    candidates.push({ flags, line, valueStart, priority: pattern.length, kept });
  }
}

/** Whether it matches every path: nothing, or a single slash. */
function matchesAll({ flags, kept }: Candidate): boolean {
  return kept.length <= 1 && (flags & ANCHORED_FLAG) === 0;
}

/** The patterns that a rule with that escaped value stands for: itself, and the directory of an index page. */
export function patternsOf(value: string, isAllow: boolean, profile: Profile): string[] {
  const first = value.charCodeAt(0);
  const needsSlash = profile.missingSlash === 'added' && value !== '' && first !== SLASH && first !== STAR;
  const pattern = needsSlash ? `/${value}` : value;
  const directory = profile.indexPages && isAllow ? directoryPattern(pattern) : undefined;
  return directory === undefined ? [pattern] : [pattern, directory];
}

/**
 * The same pattern with less in it: no `*` after another, none at the end, and no `$` at the end but a flag. A `*` before
 * the final `$` makes that one meaningless too.
 */
function reducePattern(pattern: string): { pattern: string; anchored: boolean } {
  const hasEnd = pattern.charCodeAt(pattern.length - 1) === DOLLAR;
  const single = (hasEnd ? pattern.slice(0, -1) : pattern).replace(/\*{2,}/g, '*');
  const anchored = hasEnd && !single.endsWith('*');
  return { pattern: single.endsWith('*') ? single.slice(0, -1) : single, anchored };
}

/** The character that stands at `depth` of a pattern and must stand there in the path too; {@link ANY} if none must. */
function requiredAt(pattern: string, depth: number): number {
  const star = pattern.indexOf('*');
  return depth < (star < 0 ? pattern.length : star) ? pattern.charCodeAt(depth) : ANY;
}

/** Characters from those that few paths have to those that nearly all have; any other is rarer. */
const COMMON = 'ZQXJYKWVUGHFNODBLMRIETSCAPjzqxkyvwbfgudhpmclnrst0123456789oi_aeED-./';

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

/** Rules in the order in which they win. An entry is named by its place in that order. */
export class RuleTable {
  /** How many entries there are. */
  readonly count: number;
  /** How many of them could win whatever the path's second character is. */
  readonly #anyCount: number;
  /** The file as a byte string: most patterns stand there. */
  readonly #content: string;
  readonly #packed: string;

  constructor(content: string, candidates: readonly Candidate[]) {
    const seconds = candidates.map(({ kept }) => requiredAt(kept, 1));
    const anys = candidates.map((_, entry) => entry).filter((entry) => seconds[entry] === ANY);
    const hints = anys.map(
      (entry) => four(entry) + String.fromCharCode(rarestOf((candidates[entry] as Candidate).kept)),
    );
    const headers: string[] = [];
    const own: string[] = [];
    let ownStart = candidates.length * (1 + HEADER) + anys.length * ANY_BYTES;
    for (const { flags, line, valueStart, kept } of candidates) {
      let start = valueStart;
      if ((flags & OWN_FLAG) !== 0) {
        start = ownStart;
        own.push(four(valueStart), kept);
        ownStart += 4 + kept.length;
      }
      headers.push(String.fromCharCode(flags, requiredAt(kept, 2)), four(line), four(start));
      headers.push(String.fromCharCode(kept.length >>> 8, kept.length & 0xff));
    }
    this.count = candidates.length;
    this.#anyCount = anys.length;
    this.#content = content;
    // Joined, the string is flat; added up, it would keep its parts.
    this.#packed = [...seconds.map((code) => String.fromCharCode(code)), ...hints, ...headers, ...own].join(
      '',
    );
  }

  /** Memory in bytes, without the file. */
  get sizeInBytes(): number {
    return OBJECT_BYTES + stringBytes(this.#packed);
  }

  /** Whether the entry's rule is an allow rule. */
  isAllow(entry: number): boolean {
    return (this.#flags(entry) & ALLOW_FLAG) !== 0;
  }

  /** Whether the entry's rule forbids what it matches. */
  forbids(entry: number): boolean {
    return (this.#flags(entry) & FORBIDS_FLAG) !== 0;
  }

  /** Whether the entry is the directory of a rule for an index page. */
  isDirectory(entry: number): boolean {
    return (this.#flags(entry) & DIRECTORY_FLAG) !== 0;
  }

  /** Whether the entry's pattern ends with `$`. */
  isAnchored(entry: number): boolean {
    return (this.#flags(entry) & ANCHORED_FLAG) !== 0;
  }

  /** Whether the entry's pattern has a star. */
  hasStar(entry: number): boolean {
    return (this.#flags(entry) & STAR_FLAG) !== 0;
  }

  /** Line of the entry's rule. */
  line(entry: number): number {
    return readFour(this.#packed, this.#header(entry) + LINE);
  }

  /** Where in the file the value of the entry's rule starts. */
  valueStart(entry: number): number {
    const start = readFour(this.#packed, this.#header(entry) + START);
    return (this.#flags(entry) & OWN_FLAG) === 0 ? start : readFour(this.#packed, start);
  }

  /** The entry's pattern as it is compared, reduced: without the `$` at its end. */
  pattern(entry: number): string {
    const header = this.#header(entry);
    const start = readFour(this.#packed, header + START);
    const length = readTwo(this.#packed, header + LENGTH);
    return (this.#flags(entry) & OWN_FLAG) === 0
      ? this.#content.slice(start, start + length)
      : this.#packed.slice(start + 4, start + 4 + length);
  }

  /**
   * The entry that wins for the path that starts at `start` of `text` and goes to its end; {@link NONE} if none matches.
   */
  find(text: string, start: number): number {
    const packed = this.#packed;
    const { count } = this;
    let best = NONE;
    const second = text.charAt(start + 1);
    if (second !== '') {
      const third = text.charCodeAt(start + 2);
      for (
        let entry = packed.indexOf(second);
        entry >= 0 && entry < count;
        entry = packed.indexOf(second, entry + 1)
      ) {
        const required = packed.charCodeAt(this.#header(entry) + THIRD);
        if ((required === third || required === ANY) && this.#matches(entry, text, start)) {
          best = entry;
          break;
        }
      }
    }
    const end = count + this.#anyCount * ANY_BYTES;
    for (let at = count; at < end; at += ANY_BYTES) {
      const hint = packed.charCodeAt(at + 4);
      if (hint !== ANY && !text.includes(String.fromCharCode(hint), start)) continue;
      const entry = readFour(packed, at);
      if (entry > best) break;
      if (this.#matches(entry, text, start)) return entry;
    }
    return best;
  }

  /** Whether the entry's pattern matches the path that starts at `start` of `text` and goes to its end. */
  #matches(entry: number, text: string, start: number): boolean {
    const packed = this.#packed;
    const header = this.#header(entry);
    const flags = packed.charCodeAt(header);
    const isOwn = (flags & OWN_FLAG) !== 0;
    const pattern = isOwn ? packed : this.#content;
    const from = readFour(packed, header + START) + (isOwn ? 4 : 0);
    const end = from + readTwo(packed, header + LENGTH);
    const anchored = (flags & ANCHORED_FLAG) !== 0;
    let at = start;
    for (let i = from; i < end; i++, at++) {
      const code = pattern.charCodeAt(i);
      if (code === STAR) return matchesAfterStar(pattern, i + 1, end, anchored, text, at);
      if (at === text.length || text.charCodeAt(at) !== code) return false;
    }
    return !anchored || at === text.length;
  }

  #flags(entry: number): number {
    return this.#packed.charCodeAt(this.#header(entry));
  }

  /** Where the entry's header starts. */
  #header(entry: number): number {
    return this.count + this.#anyCount * ANY_BYTES + entry * HEADER;
  }
}

function four(value: number): string {
  return String.fromCharCode(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

function readFour(byteString: string, at: number): number {
  return (readTwo(byteString, at) << 16) | readTwo(byteString, at + 2);
}

function readTwo(byteString: string, at: number): number {
  return (byteString.charCodeAt(at) << 8) | byteString.charCodeAt(at + 1);
}

/**
 * Whether what stands behind a star, from `from` to `end` of `pattern`, matches somewhere from `at` on. The parts between
 * stars are found from left to right, each as early as it can be: an earlier place leaves more room for the rest, so there
 * is never anything to come back for.
 */
function matchesAfterStar(
  pattern: string,
  from: number,
  end: number,
  anchored: boolean,
  text: string,
  at: number,
): boolean {
  let lastStart = end;
  while (lastStart > from && pattern.charCodeAt(lastStart - 1) !== STAR) lastStart--;
  // What the path must end with is looked at first: that settles most.
  const lastPlace = text.length - (end - lastStart);
  if (anchored && (lastPlace < at || !isAt(pattern, lastStart, end, text, lastPlace))) return false;
  let place = at;
  for (let partStart = from; partStart < lastStart; ) {
    const star = pattern.indexOf('*', partStart);
    const found = searchPart(text, pattern.slice(partStart, star), place);
    if (found < 0) return false;
    place = found + star - partStart;
    partStart = star + 1;
  }
  return anchored ? place <= lastPlace : searchPart(text, pattern.slice(lastStart, end), place) >= 0;
}

/** Whether characters `from` to `end` of a pattern stand at `place` of `text`. */
function isAt(pattern: string, from: number, end: number, text: string, place: number): boolean {
  for (let i = from; i < end; i++)
    if (text.charCodeAt(place + i - from) !== pattern.charCodeAt(i)) return false;
  return true;
}
