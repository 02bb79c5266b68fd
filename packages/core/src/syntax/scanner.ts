/**
 * From bytes to lines and records: where lines end, what of a line counts, and where field and value stand
 * (RFC 9309 section 2.2; the details are those of Google's open-source matcher). Knows nothing of groups.
 *
 * @module
 */
import { COLON, CR, HASH, isSpace, LF, SPACE, TAB } from '../bytes/ascii.ts';
import { FIELD_NAMES, type FieldName, findFieldName, NO_RECORD, OTHER } from './fields.ts';

/** Of a line, this many bytes count; the rest of it is dropped. Google's matcher: a buffer of 2083 x 8 bytes. */
export const MAX_LINE_BYTES = 16_663;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/**
 * Length in bytes of the byte order mark at the start, 0 to 3. A partial mark counts too: each byte that continues
 * the mark is skipped, and the first that does not ends the skipping and is content.
 */
export function getByteOrderMarkLength(bytes: Uint8Array): number {
  let length = 0;
  while (length < 3 && bytes[length] === BYTE_ORDER_MARK[length]) length++;
  return length;
}

/**
 * Walks through the lines of a robots.txt. Each {@link next} overwrites the fields, which are byte offsets into
 * `bytes`; nothing is allocated per line.
 */
export class Scanner {
  /** Number of the current line, from 1. */
  line = 0;
  /** First byte of the line. */
  lineStart = 0;
  /** End of the line, without its line end. */
  lineEnd = 0;
  /** End of what counts of the line: bytes past the line limit and from a NUL on do not. */
  contentEnd = 0;
  /** Where the comment starts, at its `#`; equals `contentEnd` if there is none. */
  commentStart = 0;
  /** Start and end of what stands before the comment, trimmed; equal if the line is blank. */
  textStart = 0;
  textEnd = 0;
  /** Kind of the record: one of the constants in fields.ts; `NO_RECORD` if the line holds none. */
  kind: number = NO_RECORD;
  /** Index into `FIELD_NAMES`, or -1. */
  fieldName = -1;
  fieldStart = 0;
  fieldEnd = 0;
  valueStart = 0;
  valueEnd = 0;

  /** What is walked through. */
  readonly bytes: Uint8Array;
  readonly #exactFields: boolean;
  #nextStart: number;

  /** @param exactFields - accept only the standard field names, whole (RFC 9309), not Google's further spellings. */
  constructor(bytes: Uint8Array, exactFields: boolean) {
    this.bytes = bytes;
    this.#exactFields = exactFields;
    this.#nextStart = getByteOrderMarkLength(bytes);
  }

  /** Goes on to the next line; `false` after the last one. What follows the last line end is a line too. */
  next(): boolean {
    const { bytes } = this;
    const start = this.#nextStart;
    if (start > bytes.length) return false;
    let end = start;
    while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
    this.#nextStart = end + (bytes[end] === CR && bytes[end + 1] === LF ? 2 : 1);
    this.readLine(this.line + 1, start, end);
    return true;
  }

  /** Reads the line of that number in bytes `start` to `end`, for a caller who walks through the lines on its own. */
  readLine(line: number, start: number, end: number): void {
    this.line = line;
    this.lineStart = start;
    this.lineEnd = end;
    const { bytes, lineStart } = this;
    const limit = Math.min(this.lineEnd, lineStart + MAX_LINE_BYTES);
    let contentEnd = lineStart;
    let commentStart = -1;
    let colon = -1;
    for (; contentEnd < limit && bytes[contentEnd] !== 0; contentEnd++) {
      if (commentStart >= 0) continue;
      const byte = bytes[contentEnd];
      if (byte === HASH) commentStart = contentEnd;
      else if (byte === COLON && colon < 0) colon = contentEnd;
    }
    this.contentEnd = contentEnd;
    this.commentStart = commentStart < 0 ? contentEnd : commentStart;
    this.textStart = skipSpaces(bytes, lineStart, this.commentStart);
    this.textEnd = trimEnd(bytes, this.textStart, this.commentStart);
    this.kind = NO_RECORD;
    this.fieldName = -1;
    const separator = colon < 0 ? this.#findSpaceSeparator() : colon;
    if (separator < 0) return;
    const fieldEnd = trimEnd(bytes, this.textStart, separator);
    if (fieldEnd <= this.textStart) return;
    this.fieldStart = this.textStart;
    this.fieldEnd = fieldEnd;
    this.valueStart = skipSpaces(bytes, separator + 1, this.textEnd);
    this.valueEnd = this.textEnd;
    this.fieldName = findFieldName(bytes, this.fieldStart, fieldEnd, this.#exactFields);
    this.kind = this.fieldName < 0 ? OTHER : (FIELD_NAMES[this.fieldName] as FieldName).kind;
  }

  /**
   * Deviation: RFC 9309 wants a colon. Google takes a space or tab in its place if the line has exactly two runs of
   * characters without space or tab.
   */
  #findSpaceSeparator(): number {
    const { bytes, textEnd } = this;
    let separator = this.textStart;
    while (separator < textEnd && !isBlank(bytes[separator])) separator++;
    if (separator === textEnd) return -1;
    let value = separator;
    while (isBlank(bytes[value])) value++;
    for (; value < textEnd; value++) if (isBlank(bytes[value])) return -1;
    return separator;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB;
}

function skipSpaces(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isSpace(bytes[at])) at++;
  return at;
}

function trimEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(bytes[at - 1])) at--;
  return at;
}
