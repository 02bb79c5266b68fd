// Lines with the field in its standard spelling: as a fix where parsers accept the spelling of the file, as a suggestion where they do not.
import { toByteString, toBytes } from '../bytes/byte-string.ts';
import { decodeUtf8 } from '../bytes/platform.ts';
import { isAiField } from '../model/diagnostics/diagnostic-kinds.ts';
import type { Diagnostic } from '../model/diagnostics/diagnostics.ts';
import { getSource, type RobotsTxt } from '../model/robots-txt.ts';
import { ALLOW, DISALLOW, SITEMAP, USER_AGENT } from '../syntax/fields.ts';
import { type Finding, toFinding } from './finding.ts';

const SPELLINGS: Readonly<Record<number, string>> = {
  [USER_AGENT]: 'User-agent',
  [ALLOW]: 'Allow',
  [DISALLOW]: 'Disallow',
  [SITEMAP]: 'Sitemap',
};

/**
 * Writes each standard record, and each record with a misspelled field, with the field in its standard spelling.
 *
 * @param diagnostics - those of the file.
 * @returns the lines as byte strings without line end, by line number.
 */
export function readSpellings(robots: RobotsTxt, diagnostics: readonly Diagnostic[]): Map<number, string> {
  const suggestions = new Map(diagnostics.map(({ line, data }) => [line, data['suggestion']]));
  const lines = new Map<number, string>();
  for (const scanner = getSource(robots).scan(); scanner.next(); ) {
    const { line, kind, bytes, valueStart, valueEnd, commentStart, contentEnd } = scanner;
    const spelling = SPELLINGS[kind] ?? suggestions.get(line);
    if (spelling === undefined) continue;
    const value = toByteString(bytes, valueStart, valueEnd);
    const comment = toByteString(bytes, commentStart, contentEnd);
    lines.set(line, `${spelling}: ${value}${comment === '' ? '' : ` ${comment}`}`.trimEnd());
  }
  return lines;
}

/** Findings that the standard spelling resolves, without a change of verdicts. */
const FIXED_BY_SPELLING: ReadonlySet<string> = new Set([
  'missing-colon',
  'misspelled-field-name',
  'field-name-suffix',
]);

/** A field about AI does not mean the rule that Google reads. */
function hasSpellingFix({ code, data }: Diagnostic): boolean {
  return FIXED_BY_SPELLING.has(code) && !(code === 'field-name-suffix' && isAiField(String(data['field'])));
}

/**
 * Converts a diagnostic to a finding.
 *
 * @param spelling - its line in the standard spelling; `undefined` if it has none.
 */
export function withSpelling(diagnostic: Diagnostic, spelling: string | undefined): Finding {
  const finding = toFinding(diagnostic);
  if (spelling === undefined) return finding;
  if (diagnostic.code === 'unrecognized-field-name')
    return { ...finding, suggestion: decodeUtf8(toBytes(spelling), 0, spelling.length) };
  return hasSpellingFix(diagnostic)
    ? { ...finding, fix: { line: finding.line, replacement: spelling } }
    : finding;
}
