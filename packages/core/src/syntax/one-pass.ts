/**
 * The fast path of collect.ts: collects the rules of the groups that apply to a crawler in one pass, without allocation. It dominates
 * the time of a single decision about a file. Lines in plain form are read here, all other lines by the scanner. Property tests
 * compare the result with that of collect.ts.
 *
 * Lines are classified four bytes at a time, and line ends are found eight bytes at a time with SWAR byte tests ("hasless" in Bit
 * Twiddling Hacks, Sean Anderson).
 *
 * @module
 */
import { COLON, CR, DOLLAR, HASH, HYPHEN, isSpace, LF, PERCENT, STAR } from '../bytes/ascii.ts';
import type { Preference } from '../crawler/crawler.ts';
import { type CollectedRule, matchTokenSets } from './collect.ts';
import { ALLOW, DISALLOW, USER_AGENT } from './fields.ts';
import { getByteOrderMarkLength, MAX_LINE_BYTES, Scanner } from './scanner.ts';

/** Numbers per rule: bits of its group, line and kind, start and end of the value. */
const STRIDE = 4;

/**
 * The collected rules. All passes share one list to avoid allocation, so a list is valid until the next pass.
 */
export class RuleList {
  /** Number of rules. */
  count = 0;
  /** Bits of all groups in the file (collect.ts). */
  seen = 0;
  #data = new Int32Array(STRIDE * 256);

  clear(): void {
    this.count = 0;
    this.seen = 0;
  }

  push(bits: number, line: number, isAllow: boolean, valueStart: number, valueEnd: number): void {
    let at = this.count++ * STRIDE;
    if (at === this.#data.length) {
      const larger = new Int32Array(this.#data.length * 2);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data[at++] = bits;
    this.#data[at++] = line * 2 + (isAllow ? 1 : 0);
    this.#data[at++] = valueStart;
    this.#data[at] = valueEnd;
  }

  /** The bit of the selected groups; 0 if no group applies. */
  get chosen(): number {
    return this.seen & -this.seen;
  }

  /** Whether rule `index` is in a group with `bit`. */
  isIn(index: number, bit: number): boolean {
    return ((this.#data[index * STRIDE] as number) & bit) !== 0;
  }

  rule(index: number): CollectedRule {
    return {
      isAllow: this.isAllow(index),
      line: this.line(index),
      valueStart: this.valueStart(index),
      valueEnd: this.valueEnd(index),
    };
  }

  line(index: number): number {
    return (this.#data[index * STRIDE + 1] as number) >>> 1;
  }

  isAllow(index: number): boolean {
    return ((this.#data[index * STRIDE + 1] as number) & 1) === 1;
  }

  valueStart(index: number): number {
    return this.#data[index * STRIDE + 2] as number;
  }

  valueEnd(index: number): number {
    return this.#data[index * STRIDE + 3] as number;
  }
}

const list: RuleList = /* @__PURE__ */ new RuleList();

/** Number of line ends that follow the bytes, so that eight bytes can be read at any position. */
const PADDING = 16;

/** A copy of the bytes, read one or four at a time. It grows to the size of the largest file. */
let copy: Uint8Array = /* @__PURE__ */ new Uint8Array(65_536);
let words: DataView = /* @__PURE__ */ new DataView(copy.buffer);

const FOUR_LINE_ENDS = 0x0a0a0a0a;

function copyBytes(bytes: Uint8Array): void {
  if (copy.length < bytes.length + PADDING) {
    copy = new Uint8Array(2 * (bytes.length + PADDING));
    words = new DataView(copy.buffer);
  }
  copy.set(bytes);
  for (let at = bytes.length; at < bytes.length + PADDING; at += 4) words.setInt32(at, FOUR_LINE_ENDS);
}

/** Four letters in lower case, as a little-endian word. */
const DISA = 0x61736964;
const LLOW = 0x776f6c6c;
const ALLO = 0x6f6c6c61;
const USER = 0x72657375;
const AGEN = 0x6e656761;
/** Converts four letters to lower case. No other character becomes a letter. */
const LOWER_CASE = 0x20202020;

/** A rule whose value starts after this offset in its line is not skipped: the line could exceed the line limit. */
const MAX_SKIP_OFFSET = 1024;
const MAX_SPACES = 64;

/**
 * Collects the rules of all groups that name a token of the crawler, and of the groups for `*` if the crawler obeys them. Once a group
 * of the preferred token set has been found, rules of other groups are skipped. If `path` is given, rules are also skipped if their
 * first four characters do not match it.
 *
 * @param path - an ASCII string. The path to match starts at `pathStart`.
 * @returns the collected rules, valid until the next call.
 */
export function collectInOnePass(
  bytes: Uint8Array,
  exactFields: boolean,
  preference: Preference,
  path?: string,
  pathStart = 0,
): RuleList {
  copyBytes(bytes);
  list.clear();
  // Local constants are faster than module variables.
  const text = copy;
  const view = words;
  const { length } = bytes;
  const pathWord = path === undefined ? 0 : readFirstFour(path, pathStart);
  const pathLength = path === undefined ? 0 : path.length - pathStart;
  const literals = path === undefined ? 0 : countLiterals(path, pathStart);
  let scanner: Scanner | undefined;
  let line = 0;
  let seen = 0;
  let groupBits = 0;
  let isListClosed = false;
  let end = 0;
  for (let start = getByteOrderMarkLength(bytes); start <= length; start = end + 1) {
    line++;
    let at = start;
    while (isSpaceInLine(text[at] as number)) at++;
    let kind = 0;
    let valueStart = at;
    const word = view.getInt32(at, true) | LOWER_CASE;
    if (word === DISA) {
      if ((view.getInt32(at + 4, true) | LOWER_CASE) === LLOW && text[at + 8] === COLON) {
        kind = DISALLOW;
        valueStart = at + 9;
      }
    } else if (word === ALLO) {
      if (((text[at + 4] as number) | 0x20) === 0x77 && text[at + 5] === COLON) {
        kind = ALLOW;
        valueStart = at + 6;
      }
    } else if (word === USER) {
      if (
        text[at + 4] === HYPHEN &&
        (view.getInt32(at + 5, true) | LOWER_CASE) === AGEN &&
        ((text[at + 9] as number) | 0x20) === 0x74 &&
        text[at + 10] === COLON
      ) {
        kind = USER_AGENT;
        valueStart = at + 11;
      }
    }
    let isSkipped = false;
    if (kind === 0) {
      // The field names of rules and user-agent lines start with `d`, `a` or `u`.
      const first = word & 0xff;
      isSkipped = first !== 0x64 && first !== 0x61 && first !== 0x75;
    } else if (kind !== USER_AGENT && valueStart - start < MAX_SKIP_OFFSET) {
      isListClosed = true;
      isSkipped = groupBits === 0;
      if (!isSkipped && pathLength > 0) {
        for (let i = 0; i < MAX_SPACES && isSpaceInLine(text[valueStart] as number); i++) valueStart++;
        const difference = view.getInt32(valueStart, true) ^ pathWord;
        const matched = findFirstMark(difference);
        isSkipped =
          difference !== 0 &&
          // Characters from the first placeholder in the path on are not comparable.
          matched <= literals &&
          IS_LITERAL[text[valueStart + matched] as number] === 1 &&
          // An allow rule for an index page also matches the directory, which is shorter.
          (matched < pathLength || kind === DISALLOW);
      }
    }
    if (isSkipped) {
      end = findLineEnd(text, view, valueStart);
    } else {
      let valueEnd = findContentEnd(text, view, valueStart);
      const last = text[valueEnd];
      end = last === LF || last === CR ? valueEnd : findLineEnd(text, view, valueEnd);
      if (kind !== 0 && end - start <= MAX_LINE_BYTES) {
        while (valueStart < valueEnd && isSpace(text[valueStart])) valueStart++;
        while (valueEnd > valueStart && isSpace(text[valueEnd - 1])) valueEnd--;
      } else {
        // Misspelled field names, fields with a suffix, missing colons and long lines.
        scanner ??= new Scanner(bytes, exactFields);
        scanner.readLine(line, start, Math.min(end, length));
        ({ kind, valueStart, valueEnd } = scanner);
      }
      if (kind === USER_AGENT) {
        if (isListClosed) groupBits = 0;
        isListClosed = false;
        groupBits |= matchTokenSets(bytes, valueStart, valueEnd, preference);
        seen |= groupBits;
        if ((seen & 1) === 1) groupBits &= 1;
      } else if (kind === ALLOW || kind === DISALLOW) {
        isListClosed = true;
        if (groupBits !== 0) list.push(groupBits, line, kind === ALLOW, valueStart, valueEnd);
      }
    }
    if (text[end] === CR && text[end + 1] === LF) end++;
  }
  list.seen = seen;
  return list;
}

/** 1 for characters that have no special meaning in a value and do not end it. */
const IS_LITERAL: Uint8Array = /* @__PURE__ */ createLiterals();

function createLiterals(): Uint8Array {
  const literals = new Uint8Array(256);
  literals.fill(1, 0x21, 0x7f);
  for (const special of [HASH, DOLLAR, PERCENT, STAR]) literals[special] = 0;
  return literals;
}

/**
 * Returns the first four characters of a path as a little-endian word. Characters that are not literal in a value, and missing
 * characters, are replaced with 0xff.
 */
function readFirstFour(path: string, start: number): number {
  let word = 0;
  for (let at = start + 3; at >= start; at--) {
    const code = at < path.length ? path.charCodeAt(at) : 0;
    word = (word << 8) | (IS_LITERAL[code] === 1 ? code : 0xff);
  }
  return word;
}

/** Returns the number of leading literal characters among the first four characters of a path. */
function countLiterals(path: string, start: number): number {
  let count = 0;
  while (count < 4 && IS_LITERAL[path.charCodeAt(start + count)] === 1) count++;
  return count;
}

/** White space other than line ends. */
function isSpaceInLine(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || byte === 0x09 || byte === 0x0b || byte === 0x0c);
}

/** Returns the position of the first line end at or after `from`. */
function findLineEnd(text: Uint8Array, view: DataView, from: number): number {
  let at = from;
  for (;;) {
    const low = view.getInt32(at, true);
    const high = view.getInt32(at + 4, true);
    const lowMarks = markBytesBelow(low, 0x0e0e0e0e);
    const highMarks = markBytesBelow(high, 0x0e0e0e0e);
    if ((lowMarks | highMarks) === 0) {
      at += 8;
      continue;
    }
    at += lowMarks === 0 ? 4 + findFirstMark(highMarks) : findFirstMark(lowMarks);
    if (text[at] === LF || text[at] === CR) return at;
    at++;
  }
}

/** Returns the end of the line's content: the position of the first `#`, NUL or line end at or after `from`. */
function findContentEnd(text: Uint8Array, view: DataView, from: number): number {
  let at = from;
  for (;;) {
    const marks = markBytesBelow(view.getInt32(at, true), 0x24242424);
    if (marks === 0) {
      at += 4;
      continue;
    }
    at += findFirstMark(marks);
    const byte = text[at] as number;
    if (byte === HASH || byte === LF || byte === CR || byte === 0) return at;
    at++;
  }
}

/**
 * Sets the highest bit of each of four bytes that is below a limit (SWAR). The lowest mark is exact; marks above it can be false
 * positives caused by its borrow.
 *
 * @param limits - the limit, at most 128, in each of the four bytes.
 */
function markBytesBelow(word: number, limits: number): number {
  return (word - limits) & ~word & 0x80808080;
}

/** Returns the index of the byte with the lowest bit that is set; -1 if no bit is set. */
function findFirstMark(marks: number): number {
  return (31 - Math.clz32(marks & -marks)) >> 3;
}
