// The source of src/syntax/kernel-code.ts, in AssemblyScript: finds the user-agent lines and rules of a robots.txt.
//
// Memory: the records of a block from RECORDS on, and the file from FILE on. src/syntax/kernel.ts knows both.

const RECORDS: usize = 64;
const FILE: usize = 65536;

/** Number of bytes that one call of `next` reads. It contains at most half as many records. */
const BLOCK: usize = 4096;
const RECORD_BYTES: usize = 12;

/** Length limit of a line in bytes, as in src/syntax/scanner.ts. */
const MAX_LINE_BYTES: usize = 16663;
/** A rule whose value starts after this offset in its line is not skipped, because the line may exceed the limit. */
const MAX_SKIP_OFFSET: usize = 1024;

/** A line that is not in plain form, and the kinds of src/syntax/fields.ts. */
const ODD: u32 = 0;
const USER_AGENT: u32 = 1;
const ALLOW: u32 = 2;
const DISALLOW: u32 = 3;

const TAB: u32 = 0x09;
const LF: u32 = 0x0a;
const CR: u32 = 0x0d;
const SPACE: u32 = 0x20;
const COLON: u32 = 0x3a;

/** Sets bit 5 of eight characters, which converts letters to lower case. No other character becomes a letter, but a CR becomes `-`. */
const LOWER_CASE: u64 = 0x2020202020202020;
/** Letters in lower case, as little-endian words. */
const DISALLOW_NAME: u64 = 0x776f6c6c61736964;
const ALLOW_NAME: u64 = 0x776f6c6c61;
const ALLOW_MASK: u64 = 0xffffffffff;
/** `user-age`, followed by `nt`. */
const USER_AGENT_NAME: u64 = 0x6567612d72657375;
const USER_AGENT_END: u32 = 0x746e;
/** The first two letters of all accepted field names: `us`, `al`, `di`. */
const US: u32 = 0x7375;
const AL: u32 = 0x6c61;
const DI: u32 = 0x6964;

/** Start of the next block, and end of the file. */
let block: usize = 0;
let end: usize = 0;
/** Number of the line at the start of the block. */
let line: u32 = 0;
/** 1 if a line starts at the start of the block, and 1 if a CR precedes it. Otherwise 0. */
let isLineStart: u64 = 1;
let isAfterCr: u64 = 0;

/** Whether no rule has followed the last user-agent line. The first one is not skipped, because it ends the list of agents. */
let isFirstRule = true;
/** The first four characters of the path, and the index of the last one that allow and disallow rules are compared with; -1 for none. */
let path: u32 = 0;
let lastAllow: i32 = -1;
let lastDisallow: i32 = -1;

/** Whether the file of `length` bytes is ASCII. */
export function isAscii(length: usize): bool {
  let at = FILE;
  const last = FILE + length;
  for (; at + 16 <= last; at += 16) if (i8x16.bitmask(v128.load(at)) !== 0) return false;
  for (; at < last; at++) if (load<u8>(at) >= 0x80) return false;
  return true;
}

/**
 * Begins with a file of `length` bytes, at byte `from`.
 *
 * @param firstFour - the first four characters of a path. Rules that do not match them are skipped. Characters with a special meaning in
 *   rules, and those after the end of the path, are 0xff.
 * @param allowIndex - the index of the last character with which allow rules are compared; -1 skips no rules.
 * @param disallowIndex - the same for disallow rules.
 */
export function begin(from: usize, length: usize, firstFour: u32, allowIndex: i32, disallowIndex: i32): void {
  block = FILE + from;
  end = FILE + length;
  line = 1;
  isLineStart = 1;
  isAfterCr = 0;
  isFirstRule = true;
  path = firstFour;
  lastAllow = allowIndex;
  lastDisallow = disallowIndex;
  // The last line ends like all others.
  store<u8>(end, LF);
}

/**
 * Reads the lines that start in the next block.
 *
 * A record consists of the line number times 4 plus the kind, and start and end of the value. For an odd line these are start and end
 * of the line. Lines whose field name cannot be that of a user-agent line or a rule have no record.
 *
 * @returns the end of the records; 0 after the last block.
 */
export function next(): usize {
  if (block > end) return 0;
  const blockEnd = min(block + BLOCK, end + 1);
  let record = RECORDS;
  let at = block;
  for (; at < blockEnd; at += 64) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const lf = find(a, LF) | (find(b, LF) << 16) | (find(c, LF) << 32) | (find(d, LF) << 48);
    const cr = find(a, CR) | (find(b, CR) << 16) | (find(c, CR) << 32) | (find(d, CR) << 48);
    const letters = findStarts(a) | (findStarts(b) << 16) | (findStarts(c) << 32) | (findStarts(d) << 48);
    const ends = lf | cr;
    // The LF of CR LF does not end another line.
    const lineEnds = ends & ~(lf & ((cr << 1) | isAfterCr));
    for (let starts = ((ends << 1) | isLineStart) & letters; starts !== 0; starts &= starts - 1) {
      const bit = <u64>ctz(starts);
      const start = at + <usize>bit;
      // Bytes of another file follow the end.
      if (start >= end) break;
      record = readLine(record, start, line + <u32>popcnt(lineEnds & (((<u64>1) << bit) - 1)));
    }
    line += <u32>popcnt(lineEnds);
    isLineStart = ends >> 63;
    isAfterCr = cr >> 63;
  }
  block = at;
  return record;
}

/** Returns a bit for each of 16 bytes: whether it is `byte`. */
function find(bytes: v128, byte: u32): u64 {
  return <u64>(<u32>i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(<i8>byte))));
}

/**
 * Returns a bit for each of 16 bytes: whether a line that starts with it can have a record. These are the letters a, d and u, and white
 * space; characters that differ from white space in bit 5 only are included. With bit 5, the low nibbles of all these differ, and
 * select a byte to compare.
 */
function findStarts(bytes: v128): u64 {
  const lowerCase = v128.or(bytes, i8x16.splat(0x20));
  return <u64>(
    matchTable(lowerCase, i8x16(0x20, 0x61, 0, 0, 0x64, 0x75, 0, 0, 0, 0x29, 0, 0x2b, 0x2c, 0, 0, 0))
  );
}

/** Writes the record of the line that begins at `start`, unless it is skipped. Returns the end of the records. */
function readLine(record: usize, start: usize, number: u32): usize {
  const from = load<u8>(start) > SPACE ? start : skipBlanks(start);
  const word = load<u64>(from) | LOWER_CASE;
  let kind = ODD;
  let colon = from;
  if (word === DISALLOW_NAME) {
    kind = DISALLOW;
    colon = from + 8;
  } else if ((word & ALLOW_MASK) === ALLOW_NAME) {
    kind = ALLOW;
    colon = from + 5;
  } else if (
    word === USER_AGENT_NAME &&
    load<u8>(from, 4) !== CR &&
    (<u32>load<u16>(from, 8) | 0x2020) === USER_AGENT_END
  ) {
    kind = USER_AGENT;
    colon = from + 10;
  }
  let valueStart = colon + 1;
  let valueEnd = valueStart;
  if (kind !== ODD && load<u8>(colon) === COLON) {
    // Mostly there is one space.
    valueStart += <usize>(load<u8>(valueStart) === SPACE);
    if (load<u8>(valueStart) <= SPACE) valueStart = skipBlanks(valueStart);
    if (kind === USER_AGENT) isFirstRule = true;
    else {
      if (
        !isFirstRule &&
        valueStart - start < MAX_SKIP_OFFSET &&
        isMismatch(valueStart, kind === ALLOW ? lastAllow : lastDisallow)
      )
        return record;
      isFirstRule = false;
    }
    const contentEnd = findContentEnd(valueStart);
    if (contentEnd - start > MAX_LINE_BYTES) kind = ODD;
    else if (valueStart === contentEnd) valueStart = valueEnd;
    else {
      valueEnd = contentEnd;
      while (isSpace(load<u8>(valueEnd - 1))) valueEnd--;
    }
  } else {
    kind = ODD;
    const two = <u32>load<u16>(from) | 0x2020;
    if (two !== US && two !== AL && two !== DI) return record;
  }
  if (kind === ODD) {
    // It may be a user-agent line, or no record.
    isFirstRule = true;
    valueStart = start;
    valueEnd = start;
    while (load<u8>(valueEnd) !== LF && load<u8>(valueEnd) !== CR) valueEnd++;
  }
  store<u32>(record, kind | (number << 2));
  store<u32>(record, <u32>(valueStart - FILE), 4);
  store<u32>(record, <u32>(valueEnd - FILE), 8);
  return record + RECORD_BYTES;
}

/** Returns the position of the first LF, CR, `#` or NUL at or after `from`. */
function findContentEnd(from: usize): usize {
  let at = from;
  let marks = markEnds(at);
  while (marks === 0) {
    at += 16;
    marks = markEnds(at);
  }
  return at + <usize>ctz(marks);
}

/** Returns a bit for each of 16 bytes: whether it is LF, CR, `#` or NUL. */
function markEnds(at: usize): u32 {
  return matchTable(v128.load(at), i8x16(0, 0, 0, 0x23, 0, 0, 0, 0, 0, 0, 0x0a, 0, 0, 0x0d, 0, 0));
}

/** Whether the first of the characters up to index `last` that differs from the path is a literal. */
function isMismatch(value: usize, last: i32): bool {
  const difference = load<u32>(value) ^ path;
  const index = <i32>(ctz(difference) >> 3);
  return difference !== 0 && index <= last && isLiteral(load<u8>(value + index));
}

/** Bits of the characters that have no special meaning in a value: all from `!` to `~` except `#`, `$`, `%` and `*`. */
const LITERALS_BELOW_64: u64 = 0xfffffbc600000000;
const LITERALS_FROM_64: u64 = 0x7fffffffffffffff;

function isLiteral(byte: u32): bool {
  const bits = byte < 64 ? LITERALS_BELOW_64 : byte < 128 ? LITERALS_FROM_64 : 0;
  return ((bits >> <u64>(byte & 63)) & 1) !== 0;
}

/** Returns the position of the first byte at or after `from` that is not white space other than line ends. */
function skipBlanks(from: usize): usize {
  let at = from;
  let others = markOthers(at);
  while (others === 0) {
    at += 16;
    others = markOthers(at);
  }
  return at + <usize>ctz(others);
}

/** Returns a bit for each of 16 bytes: whether it is not space, TAB, VT or FF. */
function markOthers(at: usize): u32 {
  return (
    matchTable(v128.load(at), i8x16(0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0x09, 0, 0x0b, 0x0c, 0, 0, 0)) ^ 0xffff
  );
}

/** Returns a bit for each of 16 bytes: whether it equals the byte of the table that its low nibble selects. */
function matchTable(bytes: v128, table: v128): u32 {
  return <u32>i8x16.bitmask(i8x16.eq(bytes, i8x16.swizzle(table, v128.and(bytes, i8x16.splat(0x0f)))));
}

function isSpace(byte: u32): bool {
  return byte === SPACE || byte - TAB < 5;
}
