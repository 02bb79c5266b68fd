/**
 * The lines of a file as `minify` writes them: byte strings, so that nothing is lost of what is not UTF-8.
 *
 * @module
 */
import { HASH, LF } from '../bytes/ascii.ts';
import { toByteString, toBytes } from '../bytes/byte-string.ts';
import { getSource, type RobotsTxt } from '../model/robots-txt.ts';
import { ALLOW, DISALLOW, NO_RECORD, SITEMAP, USER_AGENT } from '../syntax/fields.ts';
import { MAX_LINE_BYTES } from '../syntax/scanner.ts';

/** A record as it is written. */
export interface WrittenLine {
  /** One of the kinds in fields.ts. */
  readonly kind: number;
  /** Number of the line that it comes from. */
  readonly line: number;
  readonly field: string;
  readonly value: string;
  /** Comments above it and on its line. */
  readonly comments: readonly string[];
}

/** The records of a file in order, and the comments behind the last of them. */
export interface WrittenLines {
  readonly lines: readonly WrittenLine[];
  readonly comments: readonly string[];
}

const STANDARD_FIELDS: Readonly<Record<number, string>> = {
  [USER_AGENT]: 'user-agent',
  [ALLOW]: 'allow',
  [DISALLOW]: 'disallow',
  [SITEMAP]: 'sitemap',
};

/** Reads the records of a file, and its comments if they are to be kept. */
export function readLines(robots: RobotsTxt, keepComments: boolean): WrittenLines {
  const scanner = getSource(robots).scan();
  const { bytes } = scanner;
  const content = toByteString(bytes, 0, bytes.length);
  const lines: WrittenLine[] = [];
  let comments: string[] = [];
  while (scanner.next()) {
    const { commentStart, contentEnd, kind, line, fieldStart, fieldEnd, valueStart, valueEnd } = scanner;
    if (keepComments && commentStart < contentEnd && bytes[commentStart] === HASH)
      comments.push(content.slice(commentStart, contentEnd));
    if (kind === NO_RECORD) continue;
    const value = content.slice(valueStart, valueEnd);
    const written = content.slice(fieldStart, fieldEnd);
    const standard = STANDARD_FIELDS[kind] ?? written;
    // A misspelt field can be shorter than the standard one. What counts of the line must not grow past the limit.
    const field = standard.length + 1 + value.length > MAX_LINE_BYTES ? written : standard;
    lines.push({ kind, line, field, value, comments });
    comments = [];
  }
  return { lines, comments };
}

const LINE_FEED = String.fromCharCode(LF);
/** The first byte of a byte order mark, as a character of a byte string. */
const MARK_START = '\u00ef';

/** Writes lines as a file. */
export function writeLines({ lines, comments }: WrittenLines): Uint8Array {
  const parts: string[] = [];
  for (const { field, value, comments: own } of lines) {
    for (const comment of own) parts.push(comment, LINE_FEED);
    parts.push(field, ':', value, LINE_FEED);
  }
  for (const comment of comments) parts.push(comment, LINE_FEED);
  const text = parts.join('');
  // At the start of a file a byte order mark is no part of the field.
  return toBytes(text.startsWith(MARK_START) ? `${LINE_FEED}${text}` : text);
}
