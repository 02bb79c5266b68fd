/**
 * Records, rules and groups as objects: the views that a document gives of its bytes to those who read it.
 *
 * @module
 */
import { isExtendedTokenByte, isSpace, isTokenByte, STAR } from '../bytes/ascii.ts';
import { escapeValue } from '../bytes/escape.ts';
import { decodeUtf8 } from '../bytes/platform.ts';
import { ALLOW, DISALLOW, OTHER, SITEMAP, USER_AGENT } from './fields.ts';
import type { Scanner } from './scanner.ts';

export type RecordKind = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'other';

/** One `field: value` line. Columns count UTF-16 code units from 1, as editors do. */
export interface RobotsRecord {
  readonly kind: RecordKind;
  /** The field name as it is written. */
  readonly field: string;
  /** The value that counts. Of rules and other records it is escaped, and a rule's is its pattern. */
  readonly value: string;
  /** The value as it is written; what is not UTF-8 reads U+FFFD. */
  readonly text: string;
  /** Line, from 1. */
  readonly line: number;
  /** Column of the field. */
  readonly column: number;
  /** Column of the value. */
  readonly valueColumn: number;
}

/** An allow or disallow record. The length of its value, in bytes, is its priority. */
export interface Rule extends RobotsRecord {
  readonly kind: 'allow' | 'disallow';
}

/** A user-agent record. */
export interface UserAgentRecord extends RobotsRecord {
  readonly kind: 'user-agent';
  /** The product token in lower case; `*` for every crawler; empty if the value has none. */
  readonly token: string;
  /**
   * The same with digits and dots (`mj12bot` where `token` is `mj`): the name that the operators of such crawlers look for,
   * though Google's matcher does not.
   */
  readonly extendedToken: string;
}

/** User-agent records and what stands below them. */
export interface Group {
  readonly userAgents: readonly UserAgentRecord[];
  readonly rules: readonly Rule[];
  /** Records that are no part of the protocol, such as crawl-delay. They never change a decision. */
  readonly others: readonly RobotsRecord[];
}

const KINDS: Readonly<Record<number, RecordKind>> = {
  [USER_AGENT]: 'user-agent',
  [ALLOW]: 'allow',
  [DISALLOW]: 'disallow',
  [SITEMAP]: 'sitemap',
  [OTHER]: 'other',
};

/** Makes an object of the record on the scanner's line, which must hold one. */
export function readRecord(scanner: Scanner): RobotsRecord {
  const { bytes, kind, line, lineStart, fieldStart, fieldEnd, valueStart, valueEnd } = scanner;
  const text = decodeUtf8(bytes, valueStart, valueEnd);
  return {
    kind: KINDS[kind] as RecordKind,
    field: decodeUtf8(bytes, fieldStart, fieldEnd),
    value: kind === USER_AGENT || kind === SITEMAP ? text : escapeValue(bytes, valueStart, valueEnd),
    text,
    line,
    column: getColumn(bytes, lineStart, fieldStart),
    valueColumn: getColumn(bytes, lineStart, valueStart),
  };
}

/** Column of the byte at `offset`, in UTF-16 code units from 1, on the line that starts at `lineStart`. */
export function getColumn(bytes: Uint8Array, lineStart: number, offset: number): number {
  return decodeUtf8(bytes, lineStart, offset).length + 1;
}

/**
 * Whether the user-agent value in bytes `start` to `end` means every crawler: `*` alone, or `*` and white space,
 * whatever follows (Google's matcher).
 */
export function isGlobalAgent(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes[start] === STAR && start < end && (start + 1 === end || isSpace(bytes[start + 1]));
}

/** End of the product token with which a user-agent value begins; equals `start` if it names nobody. */
export function findTokenEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isTokenByte(bytes[at])) at++;
  return at;
}

/** End of the extended token of which bytes up to `from` are known to be a part. */
export function findExtendedTokenEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isExtendedTokenByte(bytes[at])) at++;
  return at;
}

/** Makes an object of the user-agent record on the scanner's line. */
export function readUserAgent(scanner: Scanner): UserAgentRecord {
  const { bytes, valueStart, valueEnd } = scanner;
  const read = (end: number): string => decodeUtf8(bytes, valueStart, end).toLowerCase();
  const productEnd = findTokenEnd(bytes, valueStart, valueEnd);
  const isGlobal = isGlobalAgent(bytes, valueStart, valueEnd);
  return {
    ...readRecord(scanner),
    kind: 'user-agent',
    token: isGlobal ? '*' : read(productEnd),
    extendedToken: isGlobal ? '*' : read(findExtendedTokenEnd(bytes, productEnd, valueEnd)),
  };
}
