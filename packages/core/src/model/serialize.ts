// Serialization of a document: normalizes each line, and keeps the line numbers of records.

import { encodeUtf8 } from '../bytes/platform.ts';
import { ALLOW, DISALLOW, NO_RECORD, OTHER, SITEMAP, USER_AGENT } from '../syntax/fields.ts';
import { hasColon, MAX_LINE_BYTES, type Scanner } from '../syntax/scanner.ts';
import { getSource, type RobotsTxt } from './robots-txt.ts';

/**
 * The serialized name of each field. Other fields keep their name. Those that are separated by spaces get no colon: a line that
 * declares a preference needs one.
 */
const SPELLINGS: Readonly<Record<number, Uint8Array>> = {
  [USER_AGENT]: /* @__PURE__ */ encodeUtf8('User-agent'),
  [ALLOW]: /* @__PURE__ */ encodeUtf8('Allow'),
  [DISALLOW]: /* @__PURE__ */ encodeUtf8('Disallow'),
  [SITEMAP]: /* @__PURE__ */ encodeUtf8('Sitemap'),
};
const COLON_BYTE = /* @__PURE__ */ encodeUtf8(':');
const COLON_AND_SPACE = /* @__PURE__ */ encodeUtf8(': ');
const SPACE_BYTE = /* @__PURE__ */ encodeUtf8(' ');
const LINE_FEED = /* @__PURE__ */ encodeUtf8('\n');
const BYTE_ORDER_MARK_START = 0xef;

/**
 * Serializes a document as a robots.txt with standard field names, one space after the colon and LF line ends. Comments stay, and each
 * record keeps its line number. Lines without record and comment become empty. Values are copied byte for byte, also if they are not
 * valid UTF-8.
 *
 * Parsing the result with the same profile and limit returns the same records on the same lines. A line or file that would exceed its
 * limit is written in compact form: original field names, no spaces, no comments.
 */
export function serialize(robots: RobotsTxt): Uint8Array {
  const normalized = writeLines(robots, formatLine);
  return normalized.length <= robots.maxBytes ? normalized : writeLines(robots, formatCompactRecord);
}

type LineWriter = (bytes: Uint8Array, scanner: Scanner) => Uint8Array[];

function writeLines(robots: RobotsTxt, writeLine: LineWriter): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (const scanner = getSource(robots).scan(); scanner.next(); ) {
    if (scanner.line > 1) chunks.push(LINE_FEED);
    chunks.push(...writeLine(scanner.bytes, scanner));
  }
  const text = concatenate(chunks);
  // A parser would skip the first byte as part of a byte order mark, so it is duplicated.
  return text[0] === BYTE_ORDER_MARK_START ? concatenate([Uint8Array.of(BYTE_ORDER_MARK_START), text]) : text;
}

function formatLine(bytes: Uint8Array, scanner: Scanner): Uint8Array[] {
  const record = formatRecord(bytes, scanner);
  const comment = bytes.subarray(scanner.commentStart, scanner.contentEnd);
  if (record.length === 0) return comment.length === 0 ? [] : [comment];
  // The line may have grown. The comment is cut at the line limit, as a parser would do.
  const length = record.reduce((sum, part) => sum + part.length, SPACE_BYTE.length);
  const commentLimit = Math.max(0, MAX_LINE_BYTES - length);
  return commentLimit === 0 || comment.length === 0
    ? record
    : [...record, SPACE_BYTE, comment.subarray(0, commentLimit)];
}

function formatRecord(bytes: Uint8Array, scanner: Scanner): Uint8Array[] {
  const { kind, fieldStart, fieldEnd, valueStart, valueEnd } = scanner;
  if (kind === NO_RECORD) return [];
  const field = kind === OTHER ? bytes.subarray(fieldStart, fieldEnd) : (SPELLINGS[kind] as Uint8Array);
  const value = bytes.subarray(valueStart, valueEnd);
  if (kind === OTHER && !hasColon(scanner)) return [field, SPACE_BYTE, value];
  const length = field.length + COLON_AND_SPACE.length + value.length;
  if (length > MAX_LINE_BYTES) return formatCompactRecord(bytes, scanner);
  return value.length === 0 ? [field, COLON_BYTE] : [field, COLON_AND_SPACE, value];
}

function formatCompactRecord(bytes: Uint8Array, scanner: Scanner): Uint8Array[] {
  const { kind, fieldStart, fieldEnd, valueStart, valueEnd } = scanner;
  if (kind === NO_RECORD) return [];
  const separator = kind === OTHER && !hasColon(scanner) ? SPACE_BYTE : COLON_BYTE;
  return [bytes.subarray(fieldStart, fieldEnd), separator, bytes.subarray(valueStart, valueEnd)];
}

function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
