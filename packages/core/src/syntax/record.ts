// Records, rules and groups as objects, decoded from the bytes of a document.
import { isExtendedTokenByte, isSpace, isTokenByte, STAR } from '../bytes/ascii.ts';
import { escapeValue } from '../bytes/escape.ts';
import { decodeUtf8 } from '../bytes/platform.ts';
import { ALLOW, DISALLOW, OTHER, SITEMAP, USER_AGENT } from './fields.ts';
import type { Scanner } from './scanner.ts';

/** Kind of a record. `other` is a field that is not part of the protocol. */
export type RecordKind = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'other';

/** A `field: value` line. Columns count UTF-16 code units from 1, like the columns of editors. */
export interface RobotsRecord {
  readonly kind: RecordKind;
  /** The field name as written in the file. */
  readonly field: string;
  /** The effective value. In rules and other records it is escaped. The value of a rule is its pattern. */
  readonly value: string;
  /** The value as written in the file. Invalid UTF-8 is replaced with U+FFFD. */
  readonly text: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Column of the field. */
  readonly column: number;
  /** Column of the value. */
  readonly valueColumn: number;
}

/** An allow or disallow record. Its priority is the length of its value in bytes. */
export interface Rule extends RobotsRecord {
  readonly kind: 'allow' | 'disallow';
}

/** A user-agent record. */
export interface UserAgentRecord extends RobotsRecord {
  readonly kind: 'user-agent';
  /** The product token in lower case. `*` stands for all crawlers. Empty if the value has no product token. */
  readonly productToken: string;
  /**
   * The token including digits and dots, in lower case: `mj12bot` where `token` is `mj`. Crawlers with such names look for it;
   * Google's matcher does not.
   */
  readonly extendedToken: string;
}

/** User-agent records and the records that follow them. */
export interface Group {
  readonly userAgents: readonly UserAgentRecord[];
  readonly rules: readonly Rule[];
  /** Records that are not part of the protocol, such as `Crawl-delay`. They do not affect verdicts. */
  readonly others: readonly RobotsRecord[];
}

const KINDS: Readonly<Record<number, RecordKind>> = {
  [USER_AGENT]: 'user-agent',
  [ALLOW]: 'allow',
  [DISALLOW]: 'disallow',
  [SITEMAP]: 'sitemap',
  [OTHER]: 'other',
};

/** Reads the record on the scanner's current line. The line must contain a record. */
export function readRecord(scanner: Scanner): RobotsRecord {
  const { bytes, kind, line, lineStart, fieldStart, fieldEnd, valueStart, valueEnd } = scanner;
  const isEscaped = kind !== USER_AGENT && kind !== SITEMAP;
  const escaped = isEscaped ? escapeValue(bytes, valueStart, valueEnd) : '';
  // Escaping changes no value without `%` and non-ASCII octets, and decoding takes longer.
  const isUnchanged = isEscaped && !escaped.includes('%');
  const text = isUnchanged ? escaped : decodeUtf8(bytes, valueStart, valueEnd);
  return {
    kind: KINDS[kind] as RecordKind,
    field: readField(bytes, fieldStart, fieldEnd),
    value: isEscaped ? escaped : text,
    text,
    line,
    column: getColumn(bytes, lineStart, fieldStart),
    valueColumn: getColumn(bytes, lineStart, valueStart),
  };
}

const SPELLINGS: readonly string[] = ['Disallow', 'Allow', 'User-agent', 'Sitemap', 'Crawl-delay'];

/** Reads the field name in bytes `start` to `end`. To compare bytes is several times faster than to decode them. */
function readField(bytes: Uint8Array, start: number, end: number): string {
  for (const spelling of SPELLINGS)
    if (spelling.length === end - start && isAt(bytes, start, spelling)) return spelling;
  return decodeUtf8(bytes, start, end);
}

function isAt(bytes: Uint8Array, start: number, ascii: string): boolean {
  for (let at = 0; at < ascii.length; at++) if (bytes[start + at] !== ascii.charCodeAt(at)) return false;
  return true;
}

/** Returns the column of the byte at `offset` on the line that starts at `lineStart`: in UTF-16 code units, from 1. */
export function getColumn(bytes: Uint8Array, lineStart: number, offset: number): number {
  for (let at = lineStart; at < offset; at++)
    if ((bytes[at] as number) >= 0x80) return decodeUtf8(bytes, lineStart, offset).length + 1;
  return offset - lineStart + 1;
}

/**
 * Whether the user-agent value in bytes `start` to `end` is the global agent: `*`, or `*` and white space with any text after it
 * (Google's matcher).
 */
export function isGlobalAgent(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes[start] === STAR && start < end && (start + 1 === end || isSpace(bytes[start + 1]));
}

/** Returns the end of the product token at the start of a user-agent value; `start` if there is no token. */
export function findTokenEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isTokenByte(bytes[at])) at++;
  return at;
}

/** Returns the end of the extended token that contains the bytes before `from`. */
export function findExtendedTokenEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isExtendedTokenByte(bytes[at])) at++;
  return at;
}

/** Reads the user-agent record on the scanner's current line. */
export function readUserAgent(scanner: Scanner): UserAgentRecord {
  const { bytes, valueStart, valueEnd } = scanner;
  const read = (end: number): string => decodeUtf8(bytes, valueStart, end).toLowerCase();
  const productEnd = findTokenEnd(bytes, valueStart, valueEnd);
  const isGlobal = isGlobalAgent(bytes, valueStart, valueEnd);
  return {
    ...readRecord(scanner),
    kind: 'user-agent',
    productToken: isGlobal ? '*' : read(productEnd),
    extendedToken: isGlobal ? '*' : read(findExtendedTokenEnd(bytes, productEnd, valueEnd)),
  };
}
