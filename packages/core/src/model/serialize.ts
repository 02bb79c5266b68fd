/**
 * Writing a document back as a file: one clean line for each record, in the place of the old one.
 *
 * @module
 */

import { encodeUtf8 } from '../bytes/platform.ts';
import { ALLOW, DISALLOW, NO_RECORD, OTHER, SITEMAP, USER_AGENT } from '../syntax/fields.ts';
import { MAX_LINE_BYTES, type Scanner } from '../syntax/scanner.ts';
import { getSource, type RobotsTxt } from './robots-txt.ts';

/** How each field is written; any other keeps its name. */
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
const MARK_START = 0xef;

/**
 * Writes a document as a robots.txt: standard field names, one space after the colon, LF line ends, comments kept.
 * Each record keeps its line number. Lines that hold neither a record nor a comment become empty. Values are copied
 * byte for byte, so that a file that is not UTF-8 loses nothing.
 *
 * Parsing the result under the same profile and limit gives the same records on the same lines. A line or a file that
 * would grow past its limit is written tight: its own field names, no spaces, no comments.
 */
export function serialize(robots: RobotsTxt): Uint8Array {
  const clean = writeLines(robots, cleanLine);
  return clean.length <= robots.maxBytes ? clean : writeLines(robots, tightRecord);
}

type LineWriter = (bytes: Uint8Array, scanner: Scanner) => Uint8Array[];

function writeLines(robots: RobotsTxt, writeLine: LineWriter): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (const scanner = getSource(robots).scan(); scanner.next(); ) {
    if (scanner.line > 1) chunks.push(LINE_FEED);
    chunks.push(...writeLine(scanner.bytes, scanner));
  }
  const text = concatenate(chunks);
  // A first byte that could begin a byte order mark would be skipped; another before it takes its place.
  return text[0] === MARK_START ? concatenate([Uint8Array.of(MARK_START), text]) : text;
}

function cleanLine(bytes: Uint8Array, scanner: Scanner): Uint8Array[] {
  const record = cleanRecord(bytes, scanner);
  const comment = bytes.subarray(scanner.commentStart, scanner.contentEnd);
  if (record.length === 0) return comment.length === 0 ? [] : [comment];
  // The line may have grown: what would be beyond its limit is cut here as the next reader would cut it.
  const length = record.reduce((sum, part) => sum + part.length, SPACE_BYTE.length);
  const room = Math.max(0, MAX_LINE_BYTES - length);
  return room === 0 || comment.length === 0 ? record : [...record, SPACE_BYTE, comment.subarray(0, room)];
}

function cleanRecord(bytes: Uint8Array, scanner: Scanner): Uint8Array[] {
  const { kind, fieldStart, fieldEnd, valueStart, valueEnd } = scanner;
  if (kind === NO_RECORD) return [];
  const field = kind === OTHER ? bytes.subarray(fieldStart, fieldEnd) : (SPELLINGS[kind] as Uint8Array);
  const value = bytes.subarray(valueStart, valueEnd);
  const length = field.length + COLON_AND_SPACE.length + value.length;
  if (length > MAX_LINE_BYTES) return tightRecord(bytes, scanner);
  return value.length === 0 ? [field, COLON_BYTE] : [field, COLON_AND_SPACE, value];
}

function tightRecord(bytes: Uint8Array, scanner: Scanner): Uint8Array[] {
  const { kind, fieldStart, fieldEnd, valueStart, valueEnd } = scanner;
  if (kind === NO_RECORD) return [];
  return [bytes.subarray(fieldStart, fieldEnd), COLON_BYTE, bytes.subarray(valueStart, valueEnd)];
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
