/**
 * Field names: which spellings of a field a profile accepts (RFC 9309 section 2.2; Google's open-source matcher for
 * the misspellings and for matching by prefix).
 *
 * @module
 */

/** The kinds of line, as small integers: the scanner sets one for each line without making an object. */
export const NO_RECORD = 0;
export const USER_AGENT = 1;
export const ALLOW = 2;
export const DISALLOW = 3;
export const SITEMAP = 4;
export const OTHER = 5;

/** One accepted spelling of a field name. */
export interface FieldName {
  readonly kind: number;
  /** In lower case. */
  readonly name: string;
  /** Whether this is the standard spelling. */
  readonly standard: boolean;
}

/** Every spelling that Google accepts, in the order in which they are tried. */
export const FIELD_NAMES: readonly FieldName[] = [
  { kind: USER_AGENT, name: 'user-agent', standard: true },
  { kind: USER_AGENT, name: 'useragent', standard: false },
  { kind: USER_AGENT, name: 'user agent', standard: false },
  { kind: ALLOW, name: 'allow', standard: true },
  { kind: DISALLOW, name: 'disallow', standard: true },
  { kind: DISALLOW, name: 'dissallow', standard: false },
  { kind: DISALLOW, name: 'dissalow', standard: false },
  { kind: DISALLOW, name: 'disalow', standard: false },
  { kind: DISALLOW, name: 'diasllow', standard: false },
  { kind: DISALLOW, name: 'disallaw', standard: false },
  { kind: SITEMAP, name: 'sitemap', standard: true },
  { kind: SITEMAP, name: 'site-map', standard: false },
];

/**
 * Finds the accepted spelling that the field in bytes `start` to `end` has.
 *
 * @param exact - `true`: only whole standard names count (RFC 9309); `false`: also the known misspellings, and a name
 *   that only begins with an accepted spelling (Google).
 * @returns an index into {@link FIELD_NAMES}, or -1 for any other field.
 */
export function findFieldName(bytes: Uint8Array, start: number, end: number, exact: boolean): number {
  const length = end - start;
  for (let index = 0; index < FIELD_NAMES.length; index++) {
    const { name, standard } = FIELD_NAMES[index] as FieldName;
    if (exact ? length !== name.length || !standard : length < name.length) continue;
    if (startsWithIgnoringCase(bytes, start, name)) return index;
  }
  return -1;
}

/** Whether the bytes from `start` on begin with `lowerCase`, an ASCII name in lower case, in whatever case. */
function startsWithIgnoringCase(bytes: Uint8Array, start: number, lowerCase: string): boolean {
  for (let i = 0; i < lowerCase.length; i++) {
    const byte = bytes[start + i] as number;
    const lower = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (lower !== lowerCase.charCodeAt(i)) return false;
  }
  return true;
}
