// Field names (RFC 9309 section 2.2), with the misspellings and the prefix matching of Google's open-source matcher.

/** The kinds of line: integers, because the scanner allocates no objects. */
export const NO_RECORD = 0;
export const USER_AGENT = 1;
export const ALLOW = 2;
export const DISALLOW = 3;
export const SITEMAP = 4;
export const OTHER = 5;

export interface FieldName {
  readonly kind: number;
  readonly name: string;
  readonly isStandard: boolean;
}

/** All spellings that Google accepts, in matching order. */
export const FIELD_NAMES: readonly FieldName[] = [
  { kind: USER_AGENT, name: 'user-agent', isStandard: true },
  { kind: USER_AGENT, name: 'useragent', isStandard: false },
  { kind: USER_AGENT, name: 'user agent', isStandard: false },
  { kind: ALLOW, name: 'allow', isStandard: true },
  { kind: DISALLOW, name: 'disallow', isStandard: true },
  { kind: DISALLOW, name: 'dissallow', isStandard: false },
  { kind: DISALLOW, name: 'dissalow', isStandard: false },
  { kind: DISALLOW, name: 'disalow', isStandard: false },
  { kind: DISALLOW, name: 'diasllow', isStandard: false },
  { kind: DISALLOW, name: 'disallaw', isStandard: false },
  { kind: SITEMAP, name: 'sitemap', isStandard: true },
  { kind: SITEMAP, name: 'site-map', isStandard: false },
];

/**
 * Finds the accepted spelling of the field name in bytes `start` to `end`.
 *
 * @param exact - `true` accepts only whole standard names (RFC 9309). `false` also accepts the known misspellings, and names with an
 *   accepted spelling as prefix (Google).
 * @returns an index into {@link FIELD_NAMES}, or -1 for other fields.
 */
export function findFieldName(bytes: Uint8Array, start: number, end: number, exact: boolean): number {
  const length = end - start;
  for (let index = 0; index < FIELD_NAMES.length; index++) {
    const { name, isStandard } = FIELD_NAMES[index] as FieldName;
    if (exact ? length !== name.length || !isStandard : length < name.length) continue;
    if (startsWithIgnoringCase(bytes, start, name)) return index;
  }
  return -1;
}

/** Whether the bytes at `start` begin with `lowerCase`, an ASCII string in lower case, case-insensitively. */
function startsWithIgnoringCase(bytes: Uint8Array, start: number, lowerCase: string): boolean {
  for (let i = 0; i < lowerCase.length; i++) {
    const byte = bytes[start + i] as number;
    const lower = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (lower !== lowerCase.charCodeAt(i)) return false;
  }
  return true;
}
