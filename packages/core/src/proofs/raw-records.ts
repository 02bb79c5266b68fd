// The records of a file as byte strings, so that `minify` preserves bytes that are not UTF-8.
import { HASH, LF } from '../bytes/ascii.ts';
import { toByteString, toBytes } from '../bytes/byte-string.ts';
import { getSource, type RobotsTxt } from '../model/robots-txt.ts';
import { ALLOW, DISALLOW, NO_RECORD, OTHER, SITEMAP, USER_AGENT } from '../syntax/fields.ts';
import { hasColon, MAX_LINE_BYTES } from '../syntax/scanner.ts';

/** A record. Its strings are byte strings. */
export interface RawRecord {
  /** A kind of fields.ts. */
  readonly kind: number;
  readonly line: number;
  readonly field: string;
  readonly value: string;
  /** A space if the source has no colon and the field is not a standard one: it is not read as a declaration. */
  readonly separator: ':' | ' ';
  /** Comments above the record and on its line. */
  readonly comments: readonly string[];
}

/** The records of a file in order, and the comments after the last one. */
export interface RawRecords {
  readonly records: readonly RawRecord[];
  readonly comments: readonly string[];
}

const STANDARD_FIELDS: Readonly<Record<number, string>> = {
  [USER_AGENT]: 'user-agent',
  [ALLOW]: 'allow',
  [DISALLOW]: 'disallow',
  [SITEMAP]: 'sitemap',
};

/** Reads the records of a file, and its comments if `keepComments` is set. */
export function readRawRecords(robots: RobotsTxt, keepComments: boolean): RawRecords {
  const scanner = getSource(robots).scan();
  const { bytes } = scanner;
  const content = toByteString(bytes, 0, bytes.length);
  const records: RawRecord[] = [];
  let comments: string[] = [];
  while (scanner.next()) {
    const { commentStart, contentEnd, kind, line, fieldStart, fieldEnd, valueStart, valueEnd } = scanner;
    if (keepComments && commentStart < contentEnd && bytes[commentStart] === HASH)
      comments.push(content.slice(commentStart, contentEnd));
    if (kind === NO_RECORD) continue;
    const value = content.slice(valueStart, valueEnd);
    const written = content.slice(fieldStart, fieldEnd);
    const standard = STANDARD_FIELDS[kind] ?? written;
    // A misspelled field can be shorter than the standard one. The line must not exceed the size limit.
    const field = standard.length + 1 + value.length > MAX_LINE_BYTES ? written : standard;
    const separator = kind === OTHER && !hasColon(scanner) ? ' ' : ':';
    records.push({ kind, line, field, value, separator, comments });
    comments = [];
  }
  return { records, comments };
}

export function formatRecord({ field, separator, value }: RawRecord): string {
  return `${field}${separator}${value}`;
}

const LINE_END = String.fromCharCode(LF);
/** First byte of a UTF-8 byte order mark. */
const BOM_START = '\u00ef';

export function writeRawRecords({ records, comments }: RawRecords): Uint8Array {
  const parts: string[] = [];
  for (const record of records) {
    const { comments: own } = record;
    for (const comment of own) parts.push(comment, LINE_END);
    parts.push(formatRecord(record), LINE_END);
  }
  for (const comment of comments) parts.push(comment, LINE_END);
  const text = parts.join('');
  // A field that begins with the bytes of a byte order mark must not come first: parsers skip the mark at the
  // start of a file.
  return toBytes(text.startsWith(BOM_START) ? `${LINE_END}${text}` : text);
}
