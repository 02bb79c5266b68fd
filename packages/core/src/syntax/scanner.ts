// Splits bytes into lines, and lines into field and value (RFC 9309 section 2.2, with the details of Google's open-source matcher). It
// does not know groups.
import { COLON, CR, HASH, isSpace, LF, SPACE, TAB } from '../bytes/ascii.ts';
import { FIELD_NAMES, type FieldName, findFieldName, NO_RECORD, OTHER } from './fields.ts';

/** Length limit of a line in bytes. The rest of the line is ignored. Google's matcher has a buffer of 2083 x 8 bytes. */
export const MAX_LINE_BYTES = 16_663;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/**
 * Returns the length in bytes of the byte order mark at the start: 0 to 3. A partial mark is skipped as well, up to the first byte that
 * differs from the mark.
 */
export function getByteOrderMarkLength(bytes: Uint8Array): number {
  let length = 0;
  while (length < 3 && bytes[length] === BYTE_ORDER_MARK[length]) length++;
  return length;
}

/**
 * Iterates over the lines of a robots.txt without allocation. Each call of {@link next} overwrites the properties, which are byte
 * offsets into `bytes`.
 */
export class Scanner {
  /** Current line number, from 1. */
  line = 0;
  lineStart = 0;
  /** End of the line, without the line terminator. */
  lineEnd = 0;
  /** End of the content: the line end, the line limit or the first NUL, whichever comes first. */
  contentEnd = 0;
  /** Position of the `#` that starts the comment; `contentEnd` if there is none. */
  commentStart = 0;
  /** The trimmed text before the comment; start and end are equal if it is empty. */
  textStart = 0;
  textEnd = 0;
  /** Kind of the record: a constant of fields.ts; `NO_RECORD` if the line has no record. */
  kind: number = NO_RECORD;
  /** Index into `FIELD_NAMES`, or -1. */
  fieldName = -1;
  fieldStart = 0;
  fieldEnd = 0;
  valueStart = 0;
  valueEnd = 0;

  readonly bytes: Uint8Array;
  readonly #exactFields: boolean;
  #nextStart: number;

  /** @param exactFields - accept only whole standard field names (RFC 9309), not Google's misspellings and prefixes. */
  constructor(bytes: Uint8Array, exactFields: boolean) {
    this.bytes = bytes;
    this.#exactFields = exactFields;
    this.#nextStart = getByteOrderMarkLength(bytes);
  }

  /** Reads the next line; returns `false` after the last one. The text after the last line terminator is a line, even if empty. */
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

  /** Reads line number `line` in bytes `start` to `end`, for callers that find the lines themselves. */
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

  /** Deviation: RFC 9309 requires a colon. Google accepts spaces or tabs instead if they separate exactly two words. */
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

/** Whether field and value of the record on the current line are separated by a colon, not only by spaces or tabs. */
export function hasColon({ bytes, fieldEnd, valueStart }: Scanner): boolean {
  for (let at = fieldEnd; at < valueStart; at++) if (bytes[at] === COLON) return true;
  return false;
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
