// Declarations: lines of a robots.txt, or headers, that state preferences for the agents of a group and for paths.

import { isSpace, SLASH } from '../bytes/ascii.ts';
import { escapeValue } from '../bytes/escape.ts';
import { freezeDeep } from '../bytes/freeze.ts';
import { decodeUtf8 } from '../bytes/platform.ts';
import { parseDictionary } from './dictionary.ts';
import { findLabel, getPurposes } from './labels.ts';
import { type Claim, limitText, type PreferenceFormat, type PreferenceStatement } from './statement.ts';

/** A format whose declarations are lines of a robots.txt, or headers. */
export type DeclarationFormat = 'content-usage' | 'content-signal';

/** The names of fields, headers and meta elements that declare preferences, in lower case. */
export const DECLARATION_NAMES: ReadonlyMap<string, DeclarationFormat> = new Map([
  ['content-usage', 'content-usage'],
  ['content-signal', 'content-signal'],
  ['content-signals', 'content-signal'],
]);

/** How a format writes preferences. */
export interface DeclarationSyntax {
  /** The usual spelling of the field. */
  readonly field: string;
  /** The value of a label that allows its purpose. */
  readonly allowed: string;
  /** The value of a label that refuses its purpose. */
  readonly disallowed: string;
}

/** How each format writes preferences: `Content-Usage: train-ai=n`, `Content-Signal: ai-train=no`. */
export const PREFERENCE_SYNTAX: Readonly<Record<DeclarationFormat, DeclarationSyntax>> =
  /* @__PURE__ */ freezeDeep({
    'content-usage': { field: 'Content-Usage', allowed: 'y', disallowed: 'n' },
    'content-signal': { field: 'Content-Signal', allowed: 'yes', disallowed: 'no' },
  });

/** A key of a declaration, and its value as written. */
interface DeclaredKey {
  readonly key: string;
  readonly value: 'allowed' | 'disallowed' | 'unknown';
}

export interface ParsedDeclaration {
  /** The path pattern, escaped as in rules; `null` if the declaration applies to all paths. */
  readonly pattern: string | null;
  /** The path pattern as written. */
  readonly path: string | null;
  readonly keys: readonly DeclaredKey[];
  /** Whether the value follows the grammar of its format. A Content-Usage that does not has no keys. */
  readonly isClean: boolean;
}

export interface Declaration extends ParsedDeclaration {
  readonly format: PreferenceFormat;
  readonly place: StatementPlace;
  readonly claims: readonly Claim[];
}

export function parseDeclaration(
  format: DeclarationFormat,
  bytes: Uint8Array,
  start: number,
  end: number,
): ParsedDeclaration {
  const keysStart = findKeysStart(bytes, start, end);
  const keys =
    format === 'content-usage' ? parseUsage(bytes, keysStart, end) : parseSignal(bytes, keysStart, end);
  return { ...parsePath(bytes, start, end), keys: keys?.keys ?? [], isClean: keys?.isClean ?? false };
}

export function parsePath(
  bytes: Uint8Array,
  start: number,
  end: number,
): Pick<ParsedDeclaration, 'pattern' | 'path'> {
  const pathEnd = findPathEnd(bytes, start, end);
  if (pathEnd === start) return { pattern: null, path: null };
  return { pattern: escapeValue(bytes, start, pathEnd), path: decodeUtf8(bytes, start, pathEnd) };
}

/** Returns the offset of the first byte after the path of a declaration, and after the space that follows it. */
export function findKeysStart(bytes: Uint8Array, start: number, end: number): number {
  let at = findPathEnd(bytes, start, end);
  while (at < end && isSpace(bytes[at])) at++;
  return at;
}

/** A path begins with `/`, and ends before the first space or tab (draft-ietf-aipref-attach-05, section 3.2). */
function findPathEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  if (at < end && bytes[at] === SLASH) while (at < end && !isSpace(bytes[at])) at++;
  return at;
}

interface Keys {
  readonly keys: readonly DeclaredKey[];
  readonly isClean: boolean;
}

/** Reads a dictionary of tokens `y` and `n`. `null` if it does not parse: then it declares nothing (draft-ietf-aipref-vocab-08, section 6). */
function parseUsage(bytes: Uint8Array, start: number, end: number): Keys | null {
  const dictionary = parseDictionary(bytes, start, end);
  if (dictionary === null) return null;
  const keys = Array.from(dictionary, ([key, { token }]) => toKey('content-usage', key, token));
  return { keys, isClean: true };
}

/** A content signal has no published grammar: members without `=` are skipped, and case does not matter. */
function parseSignal(bytes: Uint8Array, start: number, end: number): Keys {
  const keys: DeclaredKey[] = [];
  let isClean = true;
  for (const member of decodeUtf8(bytes, start, end).toLowerCase().split(',')) {
    const equals = member.indexOf('=');
    const key = member.slice(0, Math.max(equals, 0)).trim();
    const written = member.slice(equals + 1).trim();
    if (equals < 0 || key === '') isClean = false;
    else keys.push(toKey('content-signal', key, written));
  }
  return { keys, isClean };
}

function toKey(format: DeclarationFormat, key: string, token: string | null): DeclaredKey {
  const { allowed, disallowed } = PREFERENCE_SYNTAX[format];
  return { key, value: token === allowed ? 'allowed' : token === disallowed ? 'disallowed' : 'unknown' };
}

/** The place of a declaration: what its statements repeat. */
export type StatementPlace = Pick<
  PreferenceStatement,
  'source' | 'name' | 'text' | 'line' | 'column' | 'agents'
>;

/** Creates a declaration with a claim for each purpose of each known key. Unknown keys are ignored. */
export function createDeclaration(
  format: PreferenceFormat,
  parsed: ParsedDeclaration,
  place: StatementPlace,
): Declaration {
  const path = parsed.path === null ? null : limitText(parsed.path);
  // A signal can repeat a key a thousand times.
  const keys = new Map(parsed.keys.map((each) => [`${each.key}=${each.value}`, each]));
  return {
    ...parsed,
    format,
    place,
    claims: [...keys.values()].flatMap(({ key, value }) => createClaims(format, key, value, place, path)),
  };
}

/** Creates the claims of a label, one for each of its purposes. Empty if the format does not define it. */
export function createClaims(
  format: PreferenceFormat,
  key: string,
  value: PreferenceStatement['value'],
  place: StatementPlace,
  path: string | null,
): Claim[] {
  const label = findLabel(format, key);
  if (label === undefined) return [];
  const { dialect, isCurrent } = label;
  return getPurposes(label).map(([purpose, distance]) => ({
    statement: { format, dialect, ...place, text: limitText(place.text), label: key, purpose, value, path },
    distance,
    isCurrent,
  }));
}

/**
 * Returns a text that is equal for declarations that select the same values: of one format, with paths of one length, and with the same
 * values of the known labels.
 */
export function getDistinction(format: DeclarationFormat, { pattern, keys }: ParsedDeclaration): string {
  const known = keys.filter(({ key }) => findLabel(format, key) !== undefined);
  const values = new Set(known.map(({ key, value }) => `${key}=${value}`));
  return `${format} ${pattern?.length ?? 0} ${[...values].sort().join(' ')}`;
}
