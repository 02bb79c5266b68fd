/**
 * Collecting the rules that concern a crawler, as fast as can be: for one decision about a file that is not kept, this is
 * nearly all there is to do. Nothing is allocated, plain lines are read here, all others are given to the scanner.
 * collect.ts says the same in a few lines; the tests hold the two together.
 *
 * @module
 */
import { COLON, CR, HASH, HYPHEN, isSpace, LF } from './ascii.ts';
import { namedBits } from './collect.ts';
import type { Preference } from './crawler.ts';
import { ALLOW, DISALLOW, USER_AGENT } from './fields.ts';
import { byteOrderMarkLength, MAX_LINE_BYTES, Scanner } from './scanner.ts';

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

function copyBytes(bytes: Uint8Array): void {
  if (copy.length < bytes.length + PADDING) {
    copy = new Uint8Array(2 * (bytes.length + PADDING));
    words = new DataView(copy.buffer);
  }
  copy.set(bytes);
  copy.fill(LF, bytes.length, bytes.length + PADDING);
}

/** Four letters as `words` reads them, little-endian and in lower case. */
const DISA = 0x61736964;
const LLOW = 0x776f6c6c;
const ALLO = 0x6f6c6c61;
const USER = 0x72657375;
const AGEN = 0x6e656761;
/** Makes letters lower case, four at once. What is no letter stays no letter. */
const LOWER_CASE = 0x20202020;

/**
 * Collects the rules of all groups that name one of the crawler's tokens, and of the groups for `*` if it obeys those.
 * Each set of tokens has a bit, the most preferred the lowest, and `*` the next above. Rules that cannot count any more,
 * because a group of the most preferred set was seen, are left out.
 *
 * @returns a list that the next call overwrites.
 */
export function collectInOnePass(bytes: Uint8Array, exactFields: boolean, preference: Preference): RuleList {
  list.clear();
  copyBytes(bytes);
  // As constants of this call they are known to be what they are.
  const text = copy;
  const view = words;
  const { length } = bytes;
  let scanner: Scanner | undefined;
  let line = 0;
  let groupBits = 0;
  let closed = false;
  let end = 0;
  for (let start = byteOrderMarkLength(bytes); start <= length; start = end + 1) {
    line++;
    let at = start;
    let first = text[at] as number;
    while (isSpaceInLine(first)) first = text[++at] as number;
    // Only a line that starts with one of three letters can matter here.
    first |= 0x20;
    if (first === 0x64 || first === 0x61 || first === 0x75) {
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
      } else if (word === USER && text[at + 4] === HYPHEN && text[at + 10] === COLON) {
        if (
          (view.getInt32(at + 5, true) | LOWER_CASE) === AGEN &&
          ((text[at + 9] as number) | 0x20) === 0x74
        ) {
          kind = USER_AGENT;
          valueStart = at + 11;
        }
      }
      // A rule of a group that does not count only closes the list of user-agent lines.
      const matters = kind === USER_AGENT || kind === 0 || groupBits !== 0;
      let valueEnd = matters ? endOfContent(text, view, valueStart) : valueStart;
      const last = text[valueEnd];
      end = last === LF || last === CR ? valueEnd : endOfLine(text, view, valueEnd);
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
        groupBits |= namedBits(bytes, valueStart, valueEnd, preference);
        list.seen |= groupBits;
      } else if (kind === ALLOW || kind === DISALLOW) {
        closed = true;
        // With a group of the most preferred set there, only such groups count.
        const bits = (list.seen & 1) === 1 ? groupBits & 1 : groupBits;
        if (bits !== 0) list.push(bits, line, kind === ALLOW, valueStart, valueEnd);
      }
    } else {
      end = endOfLine(text, view, at);
    }
    if (text[end] === CR && text[end + 1] === LF) end++;
  }
  return list;
}

/** White space that is no line end. */
function isSpaceInLine(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || byte === 0x09 || byte === 0x0b || byte === 0x0c);
}

/** Where the line ends that goes on at `from`. */
function endOfLine(text: Uint8Array, view: DataView, from: number): number {
  let at = from;
  for (;;) {
    // A byte below 14 may end the line. Eight bytes without one are left behind at once: subtracting 14 from a byte sets
    // its highest bit only if the byte is below 14 or has that bit already.
    const low = view.getInt32(at, true);
    const high = view.getInt32(at + 4, true);
    if ((((low - 0x0e0e0e0e) & ~low) | ((high - 0x0e0e0e0e) & ~high)) & 0x80808080) {
      const stop = at + 8;
      for (; at < stop; at++) if (text[at] === LF || text[at] === CR) return at;
    } else {
      at += 8;
    }
  }
}

/** Where what counts of the line ends: at a comment, a NUL or the line end. */
function endOfContent(text: Uint8Array, view: DataView, from: number): number {
  let at = from;
  for (;;) {
    // As above, with 36 for the first byte that is none of the four.
    const word = view.getInt32(at, true);
    if (((word - 0x24242424) & ~word & 0x80808080) === 0) {
      at += 4;
      continue;
    }
    const stop = at + 4;
    for (; at < stop; at++) {
      const byte = text[at] as number;
      if (byte <= HASH && (byte === HASH || byte === LF || byte === CR || byte === 0)) return at;
    }
  }
}
