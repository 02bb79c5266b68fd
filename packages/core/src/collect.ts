/**
 * Collecting the rules that concern a crawler, in one pass over the bytes (RFC 9309 section 2.2.1; Google's page, on
 * grouping). Nothing is allocated per line. `RobotsTxt.groups` says the same in objects; the tests hold the two together.
 *
 * @module
 */
import { COLON, CR, HASH, HYPHEN, isSpace, LF } from './ascii.ts';
import type { Preference } from './crawler.ts';
import { ALLOW, DISALLOW, USER_AGENT } from './fields.ts';
import { isGlobalAgent, tokenEnd } from './record.ts';
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
  private data = new Int32Array(STRIDE * 256);

  clear(): void {
    this.count = 0;
    this.seen = 0;
  }

  push(bits: number, line: number, isAllow: boolean, valueStart: number, valueEnd: number): void {
    let at = this.count++ * STRIDE;
    if (at === this.data.length) {
      const larger = new Int32Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[at++] = bits;
    this.data[at++] = line * 2 + (isAllow ? 1 : 0);
    this.data[at++] = valueStart;
    this.data[at] = valueEnd;
  }

  /** The bit of the most preferred groups that there are; 0 if none applies. */
  get chosen(): number {
    return this.seen & -this.seen;
  }

  /** Whether rule `index` is in one of the groups with `bit`. */
  isIn(index: number, bit: number): boolean {
    return ((this.data[index * STRIDE] as number) & bit) !== 0;
  }

  line(index: number): number {
    return (this.data[index * STRIDE + 1] as number) >>> 1;
  }

  isAllow(index: number): boolean {
    return ((this.data[index * STRIDE + 1] as number) & 1) === 1;
  }

  valueStart(index: number): number {
    return this.data[index * STRIDE + 2] as number;
  }

  valueEnd(index: number): number {
    return this.data[index * STRIDE + 3] as number;
  }
}

const list: RuleList = /* @__PURE__ */ new RuleList();

/**
 * Collects the rules of all groups that name one of the crawler's tokens, and of the groups for `*` if it obeys those.
 * Each set of tokens has a bit, the most preferred the lowest, and `*` the next above. Rules that cannot count any more,
 * because a group of the most preferred set was seen, are left out.
 *
 * @returns a list that the next call overwrites.
 */
export function collectRules(bytes: Uint8Array, exactFields: boolean, preference: Preference): RuleList {
  list.clear();
  const scanner = new Scanner(bytes, exactFields);
  const length = bytes.length;
  let line = 0;
  let groupBits = 0;
  let closed = false;
  let end = 0;
  for (let start = byteOrderMarkLength(bytes); start <= length; start = end + 1) {
    line++;
    let at = start;
    while (isSpaceInLine(bytes[at] as number)) at++;
    let kind = 0;
    // Only a line that starts with one of three letters can matter here.
    const first = (bytes[at] as number) | 0x20;
    if (first === 0x64 || first === 0x61 || first === 0x75) {
      let separator = -1;
      if (first === 0x64 && isDisallow(bytes, at)) {
        kind = DISALLOW;
        separator = at + 8;
      } else if (first === 0x61 && isAllow(bytes, at)) {
        kind = ALLOW;
        separator = at + 5;
      } else if (first === 0x75 && isUserAgent(bytes, at)) {
        kind = USER_AGENT;
        separator = at + 10;
      }
      let valueStart = separator + 1;
      let valueEnd = kind === 0 ? at : valueStart;
      // To the end of what counts of the line, and on to the end of the line.
      for (; valueEnd < length; valueEnd++) {
        const byte = bytes[valueEnd] as number;
        if (byte <= HASH && (byte === HASH || byte === LF || byte === CR || byte === 0)) break;
      }
      end = endOfLine(bytes, valueEnd);
      if (kind !== 0 && end - start <= MAX_LINE_BYTES) {
        while (valueStart < valueEnd && isSpace(bytes[valueStart])) valueStart++;
        while (valueEnd > valueStart && isSpace(bytes[valueEnd - 1])) valueEnd--;
      } else {
        // Misspelt, longer, without a colon, too long: the scanner knows.
        scanner.readLine(line, start, end);
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
      end = endOfLine(bytes, at);
    }
    if (bytes[end] === CR && bytes[end + 1] === LF) end++;
  }
  return list;
}

/** White space that is no line end. Past the end of the bytes there is none. */
function isSpaceInLine(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0b || byte === 0x0c;
}

function endOfLine(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte <= CR && (byte === LF || byte === CR)) break;
  }
  return at;
}

/** Whether `disallow:` stands at `at`, in any case. The first letter was looked at. */
function isDisallow(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at + 8] === COLON &&
    ((bytes[at + 1] as number) | 0x20) === 0x69 &&
    ((bytes[at + 2] as number) | 0x20) === 0x73 &&
    ((bytes[at + 3] as number) | 0x20) === 0x61 &&
    ((bytes[at + 4] as number) | 0x20) === 0x6c &&
    ((bytes[at + 5] as number) | 0x20) === 0x6c &&
    ((bytes[at + 6] as number) | 0x20) === 0x6f &&
    ((bytes[at + 7] as number) | 0x20) === 0x77
  );
}

/** Whether `allow:` stands at `at`. */
function isAllow(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at + 5] === COLON &&
    ((bytes[at + 1] as number) | 0x20) === 0x6c &&
    ((bytes[at + 2] as number) | 0x20) === 0x6c &&
    ((bytes[at + 3] as number) | 0x20) === 0x6f &&
    ((bytes[at + 4] as number) | 0x20) === 0x77
  );
}

/** Whether `user-agent:` stands at `at`. */
function isUserAgent(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at + 10] === COLON &&
    bytes[at + 4] === HYPHEN &&
    ((bytes[at + 1] as number) | 0x20) === 0x73 &&
    ((bytes[at + 2] as number) | 0x20) === 0x65 &&
    ((bytes[at + 3] as number) | 0x20) === 0x72 &&
    ((bytes[at + 5] as number) | 0x20) === 0x61 &&
    ((bytes[at + 6] as number) | 0x20) === 0x67 &&
    ((bytes[at + 7] as number) | 0x20) === 0x65 &&
    ((bytes[at + 8] as number) | 0x20) === 0x6e &&
    ((bytes[at + 9] as number) | 0x20) === 0x74
  );
}

/** The bits of the sets that a user-agent value names. */
function namedBits(bytes: Uint8Array, start: number, end: number, { sets, obeysGlobal }: Preference): number {
  if (isGlobalAgent(bytes, start, end)) return obeysGlobal ? 1 << sets.length : 0;
  const length = tokenEnd(bytes, start, end) - start;
  let bits = 0;
  for (let rank = 0; rank < sets.length; rank++) {
    for (const token of sets[rank] as readonly string[]) {
      if (token.length === length && isToken(bytes, start, token)) bits |= 1 << rank;
    }
  }
  return bits;
}

/** Whether `token` stands at `start`, without case. Both have only letters, `_` and `-`, or they differ. */
function isToken(bytes: Uint8Array, start: number, token: string): boolean {
  for (let i = 0; i < token.length; i++) {
    const byte = bytes[start + i] as number;
    const char = token.charCodeAt(i);
    // `_` and `-` differ from each other and from every letter also with this bit set.
    if ((byte | 0x20) !== (char | 0x20)) return false;
  }
  return true;
}
