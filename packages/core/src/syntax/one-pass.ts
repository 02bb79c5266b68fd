/**
 * Collecting the rules that concern a crawler, as fast as can be: for one decision about a file that is not kept, this is
 * nearly all there is to do. Nothing is allocated, plain lines are read here, all others are given to the scanner.
 * collect.ts says the same in a few lines; the tests hold the two together.
 *
 * @module
 */
import { COLON, CR, DOLLAR, HASH, HYPHEN, isSpace, LF, PERCENT, STAR } from '../bytes/ascii.ts';
import type { Preference } from '../crawler/crawler.ts';
import { type CollectedRule, matchTokenSets } from './collect.ts';
import { ALLOW, DISALLOW, USER_AGENT } from './fields.ts';
import { getByteOrderMarkLength, MAX_LINE_BYTES, Scanner } from './scanner.ts';

/** Numbers in a collected rule: bits of its group, line and kind, start and end of the value. */
const STRIDE = 4;

/**
 * The rules that one pass found. There is one list for all passes, so that collecting allocates nothing: use it before
 * the next pass.
 */
export class RuleList {
  /** How many rules there are. */
  count = 0;
  /** Bits of all groups that were seen: see {@link chosen}. */
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

  /** The bit of the most preferred groups that there are; 0 if none applies. */
  get chosen(): number {
    return this.seen & -this.seen;
  }

  /** Whether rule `index` is in one of the groups with `bit`. */
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

/** Behind the bytes stand so many line ends, so that eight bytes can be read anywhere. */
const PADDING = 16;

/** A copy of the bytes, read one by one and four at once. It grows to the longest file. */
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

/** Four letters as `words` reads them, little-endian and in lower case. */
const DISA = 0x61736964;
const LLOW = 0x776f6c6c;
const ALLO = 0x6f6c6c61;
const USER = 0x72657375;
const AGEN = 0x6e656761;
/** Makes letters lower case, four at once. What is no letter stays no letter. */
const LOWER_CASE = 0x20202020;

/** Farther behind the start of the line nothing is decided before the line is cut at its limit. */
const MAX_LOOK = 1024;
const MAX_SPACES = 64;

/**
 * Collects the rules of all groups that name one of the crawler's tokens, and of the groups for `*` if it obeys those.
 * Each set of tokens has a bit, the most preferred the lowest, and `*` the next above. Rules that cannot count any more,
 * because a group of the most preferred set was seen, are left out. So are, where `path` is given, rules whose first four
 * characters show that they do not match it.
 *
 * @param path - ASCII of which what stands from `pathStart` on is going to be matched.
 * @returns a list that the next call overwrites.
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
  // As constants of this call they are known to be what they are.
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
  let closed = false;
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
    let isOver = false;
    if (kind === 0) {
      // Only a line that starts with one of three letters can matter here.
      const first = word & 0xff;
      isOver = first !== 0x64 && first !== 0x61 && first !== 0x75;
    } else if (kind !== USER_AGENT && valueStart - start < MAX_LOOK) {
      closed = true;
      isOver = groupBits === 0;
      if (!isOver && pathLength > 0) {
        for (let i = 0; i < MAX_SPACES && isSpaceInLine(text[valueStart] as number); i++) valueStart++;
        const difference = view.getInt32(valueStart, true) ^ pathWord;
        const matched = findFirstMark(difference);
        isOver =
          difference !== 0 &&
          // What equals a stand-in in the path shows nothing, and nor does what follows.
          matched <= literals &&
          IS_LITERAL[text[valueStart + matched] as number] === 1 &&
          // The directory of an index page is shorter than the rule for it.
          (matched < pathLength || kind === DISALLOW);
      }
    }
    if (isOver) {
      end = findLineEnd(text, view, valueStart);
    } else {
      let valueEnd = findContentEnd(text, view, valueStart);
      const last = text[valueEnd];
      end = last === LF || last === CR ? valueEnd : findLineEnd(text, view, valueEnd);
      if (kind !== 0 && end - start <= MAX_LINE_BYTES) {
        while (valueStart < valueEnd && isSpace(text[valueStart])) valueStart++;
        while (valueEnd > valueStart && isSpace(text[valueEnd - 1])) valueEnd--;
      } else {
        // Misspelt, longer, without a colon, too long: the scanner knows.
        scanner ??= new Scanner(bytes, exactFields);
        scanner.readLine(line, start, Math.min(end, length));
        ({ kind, valueStart, valueEnd } = scanner);
      }
      if (kind === USER_AGENT) {
        if (closed) groupBits = 0;
        closed = false;
        groupBits |= matchTokenSets(bytes, valueStart, valueEnd, preference);
        seen |= groupBits;
        // With a group of the most preferred set there, only such groups count.
        if ((seen & 1) === 1) groupBits &= 1;
      } else if (kind === ALLOW || kind === DISALLOW) {
        closed = true;
        if (groupBits !== 0) list.push(groupBits, line, kind === ALLOW, valueStart, valueEnd);
      }
    }
    if (text[end] === CR && text[end + 1] === LF) end++;
  }
  list.seen = seen;
  return list;
}

/** Characters that stand for themselves alone in a value, and do not end it. */
const IS_LITERAL: Uint8Array = /* @__PURE__ */ createLiterals();

function createLiterals(): Uint8Array {
  const literals = new Uint8Array(256);
  literals.fill(1, 0x21, 0x7f);
  for (const special of [HASH, DOLLAR, PERCENT, STAR]) literals[special] = 0;
  return literals;
}

/**
 * The first four characters of a path, as `words` reads them. 0xff stands in for one that is more than itself in a value, and
 * for what a shorter path does not have.
 */
function readFirstFour(path: string, start: number): number {
  let word = 0;
  for (let at = start + 3; at >= start; at--) {
    const code = at < path.length ? path.charCodeAt(at) : 0;
    word = (word << 8) | (IS_LITERAL[code] === 1 ? code : 0xff);
  }
  return word;
}

/** How many of the first four characters of a path stand for themselves alone, up to the first that does not. */
function countLiterals(path: string, start: number): number {
  let count = 0;
  while (count < 4 && IS_LITERAL[path.charCodeAt(start + count)] === 1) count++;
  return count;
}

/** White space that is no line end. */
function isSpaceInLine(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || byte === 0x09 || byte === 0x0b || byte === 0x0c);
}

/** Where the line ends that goes on at `from`. */
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

/** Where what counts of the line ends: at a comment, a NUL or the line end. */
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
 * Marks the highest bit of those of four bytes that are below a limit (four times the same, at most 128). The lowest mark
 * is right; those above it may come of its borrow.
 */
function markBytesBelow(word: number, limits: number): number {
  return (word - limits) & ~word & 0x80808080;
}

/** Which of four bytes has the lowest bit that is set; -1 if none has. */
function findFirstMark(marks: number): number {
  return (31 - Math.clz32(marks & -marks)) >> 3;
}
