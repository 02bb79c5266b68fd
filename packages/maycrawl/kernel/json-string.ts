// The source of src/batch/json-string-code.ts, in AssemblyScript: decodes a string of JSON (RFC 8259, section 7) to UTF-8.
//
// Memory: the string from SOURCE on, and the decoded text from TARGET on. src/batch/json-string.ts knows both. Up to 16 bytes after the
// end of each are read or written.

const SOURCE: usize = 1024;
const TARGET: usize = SOURCE + 1048576 + 1024;

const QUOTE: u32 = 0x22;
const SLASH: u32 = 0x2f;
const BACKSLASH: u32 = 0x5c;

/** Larger than all code units: four hexadecimal digits of which one is invalid. */
const INVALID_DIGIT: u32 = 0x10000;
const REPLACEMENT_CHARACTER: u32 = 0xfffd;

/**
 * Decodes the string of `length` bytes between its quotes, in valid UTF-8. A lone surrogate becomes U+FFFD.
 *
 * @returns the number of bytes; -1 if the string is not valid.
 */
export function decode(length: usize): i32 {
  const end = SOURCE + length;
  let at = SOURCE;
  let to = TARGET;
  while (at < end) {
    const bytes = v128.load(at);
    v128.store(to, bytes);
    const marks = i8x16.bitmask(
      v128.or(i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH)), i8x16.lt_u(bytes, i8x16.splat(0x20))),
    );
    const skipped: usize = marks === 0 ? 16 : <usize>ctz(marks);
    at += skipped;
    to += skipped;
    if (marks === 0 || at >= end) continue;
    // A control character, or an escape.
    if (load<u8>(at) !== BACKSLASH || at + 2 > end) return -1;
    const letter = load<u8>(at, 1);
    if (letter !== 0x75) {
      const character = getEscaped(letter);
      if (character === 0) return -1;
      store<u8>(to++, character);
      at += 2;
      continue;
    }
    let code = readUnit(at, end);
    if (code > 0xffff) return -1;
    at += 6;
    if ((code & 0xf800) === 0xd800) {
      // An escape that is not valid is found when it is read itself.
      const low = load<u16>(at) === 0x755c ? readUnit(at, end) : 0;
      if (code < 0xdc00 && (low & ~0x3ff) === 0xdc00) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
      } else code = REPLACEMENT_CHARACTER;
    }
    to = writeUtf8(to, code);
  }
  // The last 16 bytes may go past the end.
  return <i32>(to - TARGET - (at - end));
}

/** Returns the character of an escape by the character after the backslash; 0 if it is not valid. */
function getEscaped(letter: u32): u32 {
  switch (letter) {
    case 0x6e: // n
      return 0x0a;
    case 0x72: // r
      return 0x0d;
    case 0x74: // t
      return 0x09;
    case QUOTE:
    case SLASH:
    case BACKSLASH:
      return letter;
    case 0x62: // b
      return 0x08;
    case 0x66: // f
      return 0x0c;
    default:
      return 0;
  }
}

/** Reads the escape `\uXXXX` at `at`. Returns a number larger than all code units if it is not valid. */
function readUnit(at: usize, end: usize): u32 {
  if (at + 6 > end) return INVALID_DIGIT;
  return (
    (readDigit(load<u8>(at, 2)) << 12) |
    (readDigit(load<u8>(at, 3)) << 8) |
    (readDigit(load<u8>(at, 4)) << 4) |
    readDigit(load<u8>(at, 5))
  );
}

function readDigit(byte: u32): u32 {
  const digit = byte - 0x30;
  if (digit < 10) return digit;
  const letter = (byte | 0x20) - 0x61;
  return letter < 6 ? letter + 10 : INVALID_DIGIT;
}

/** Writes a character. Returns the position after it. */
function writeUtf8(at: usize, code: u32): usize {
  if (code < 0x80) {
    store<u8>(at, code);
    return at + 1;
  }
  if (code < 0x800) {
    store<u8>(at, 0xc0 | (code >> 6));
    store<u8>(at, 0x80 | (code & 0x3f), 1);
    return at + 2;
  }
  if (code < 0x10000) {
    store<u8>(at, 0xe0 | (code >> 12));
    store<u8>(at, 0x80 | ((code >> 6) & 0x3f), 1);
    store<u8>(at, 0x80 | (code & 0x3f), 2);
    return at + 3;
  }
  store<u8>(at, 0xf0 | (code >> 18));
  store<u8>(at, 0x80 | ((code >> 12) & 0x3f), 1);
  store<u8>(at, 0x80 | ((code >> 6) & 0x3f), 2);
  store<u8>(at, 0x80 | (code & 0x3f), 3);
  return at + 4;
}
