// Diagnostics: syntax problems in a robots.txt, with position and severity. Content never throws. Diagnostics contain codes and data;
// diagnostic-kinds.ts contains their severities and the prose.
import { COLON, SLASH, STAR } from '../../bytes/ascii.ts';
import { decodeUtf8, isUtf8 } from '../../bytes/platform.ts';
import { findFieldCorrection } from '../../syntax/field-correction.ts';
import {
  ALLOW,
  DISALLOW,
  FIELD_NAMES,
  type FieldName,
  NO_RECORD,
  OTHER,
  USER_AGENT,
} from '../../syntax/fields.ts';
import { findExtendedTokenEnd, findTokenEnd, getColumn, isGlobalAgent } from '../../syntax/record.ts';
import { getByteOrderMarkLength, hasColon, type Scanner } from '../../syntax/scanner.ts';
import { getSource, type RobotsTxt } from '../robots-txt.ts';
import { ConflictMarkers } from './conflict-markers.ts';
import {
  DIAGNOSTIC_KINDS,
  type DiagnosticCode,
  type MessageData,
  type Severity,
} from './diagnostic-kinds.ts';
import { formatLines } from './format-lines.ts';

/** A problem in a robots.txt. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** Line number, from 1. */
  readonly line: number;
  /** Column in UTF-16 code units, from 1. */
  readonly column: number;
  /** Length in UTF-16 code units. */
  readonly length: number;
  /** Arguments of the message, such as the field name or the limit in bytes. */
  readonly data: MessageData;
}

type Report = (code: DiagnosticCode, start: number, end: number, data?: MessageData) => void;

/** Finds the syntax problems of a document, in file order. For an HTML page, only those of its rules. */
export function diagnose(robots: RobotsTxt): Diagnostic[] {
  const scanner = getSource(robots).scan();
  const { bytes } = scanner;
  const diagnostics: Diagnostic[] = [];
  const report: Report = (code, start, end, data = {}) => {
    const { line, lineStart } = scanner;
    const from = Math.max(start, lineStart);
    const column = getColumn(bytes, lineStart, from);
    const length = getColumn(bytes, from, Math.max(from, end)) - 1;
    diagnostics.push({ code, severity: DIAGNOSTIC_KINDS[code].severity, line, column, length, data });
  };
  const markers = new ConflictMarkers();
  let isInGroup = false;
  let hasText = false;
  let rules = 0;
  while (scanner.next()) {
    if (scanner.line === 1) diagnoseByteOrderMark(bytes, report);
    if (!hasText && scanner.textStart < scanner.textEnd) {
      hasText = true;
      if (startsPage(bytes, scanner)) report('html-content', scanner.textStart, scanner.textEnd);
    }
    diagnoseContent(bytes, scanner, report);
    if (markers.isMarker(scanner)) report('merge-conflict-marker', scanner.textStart, scanner.textEnd);
    else if (scanner.kind === NO_RECORD) diagnoseText(bytes, scanner, report);
    else diagnoseField(bytes, scanner, report);
    if (scanner.kind === USER_AGENT) {
      isInGroup = true;
      diagnoseUserAgent(bytes, scanner, report);
    } else if (scanner.kind === ALLOW || scanner.kind === DISALLOW) {
      if (isInGroup) rules++;
      if (!isInGroup) report('rule-before-group', scanner.fieldStart, scanner.textEnd);
      else if (robots.profile.missingSlash === 'no-match') diagnosePattern(bytes, scanner, report);
    }
  }
  if (robots.truncated) {
    report('file-too-large', scanner.lineStart, scanner.lineEnd, { limit: robots.maxBytes });
    diagnoseTruncatedRule(bytes, scanner, robots.textAfterLimit, report);
  }
  return summarizePage(summarizeMarkers(diagnostics), rules);
}

/** Codes about text that is not a record. In an HTML page this is the page, which has a diagnostic of its own. */
const ABOUT_OTHER_TEXT: ReadonlySet<DiagnosticCode> = new Set([
  'invalid-line',
  'empty-field-name',
  'missing-colon',
  'unrecognized-field-name',
  'unknown-field',
  'merge-conflict-marker',
  'rule-before-group',
]);

/** Reduces the diagnostics of merge conflict markers to one, at the first of them. */
function summarizeMarkers(diagnostics: Diagnostic[]): Diagnostic[] {
  const markers = diagnostics.filter(({ code }) => code === 'merge-conflict-marker');
  const [first] = markers;
  if (first === undefined) return diagnostics;
  const data = { lines: formatLines(markers.map(({ line }) => line)) };
  return diagnostics
    .filter((each) => each.code !== first.code || each === first)
    .map((each) => (each === first ? { ...first, data } : each));
}

/** Reduces the diagnostics of an HTML page to one, and those of its rules if it has any. */
function summarizePage(diagnostics: Diagnostic[], rules: number): Diagnostic[] {
  if (!diagnostics.some(({ code }) => code === 'html-content')) return diagnostics;
  return diagnostics
    .filter(({ code }) => code === 'html-content' || (rules > 0 && !ABOUT_OTHER_TEXT.has(code)))
    .map((each) => (each.code === 'html-content' ? { ...each, data: { rules } } : each));
}

/** Whether a document is an HTML page in which no rule applies to a crawler. */
export function isPageWithoutRules(robots: RobotsTxt): boolean {
  const scanner = getSource(robots).scan();
  let isPage = false;
  while (!isPage && scanner.next()) {
    if (scanner.textStart === scanner.textEnd) continue;
    isPage = startsPage(scanner.bytes, scanner);
    if (!isPage) return false;
  }
  let isInGroup = false;
  for (const lines = getSource(robots).readRuleLines(); lines.next(); ) {
    if (lines.kind === USER_AGENT) isInGroup = true;
    else if (isInGroup && (lines.kind === ALLOW || lines.kind === DISALLOW)) return false;
  }
  return isPage;
}

function diagnoseByteOrderMark(bytes: Uint8Array, report: Report): void {
  const length = getByteOrderMarkLength(bytes);
  if (length === 3) report('byte-order-mark', 0, 0);
  else if (length > 0) report('partial-byte-order-mark', 0, 0, { bytes: length });
}

/** Whether the first text of a document starts an HTML page: a tag, a comment or a declaration. */
function startsPage(bytes: Uint8Array, { textStart, textEnd }: Scanner): boolean {
  return /^<[!?a-z]/i.test(decodeUtf8(bytes, textStart, Math.min(textEnd, textStart + 2)));
}

function diagnoseContent(bytes: Uint8Array, scanner: Scanner, report: Report): void {
  const { lineStart, lineEnd, contentEnd } = scanner;
  if (contentEnd < lineEnd) {
    const code = bytes[contentEnd] === 0 ? 'nul-byte' : 'line-too-long';
    report(code, contentEnd, lineEnd, { ignoredBytes: lineEnd - contentEnd });
  }
  if (!isUtf8(bytes, lineStart, contentEnd)) report('invalid-utf8', lineStart, contentEnd);
}

/** Diagnoses a line without a record. */
function diagnoseText(bytes: Uint8Array, { textStart, textEnd }: Scanner, report: Report): void {
  if (textStart === textEnd) return;
  const code = bytes[textStart] === COLON ? 'empty-field-name' : 'invalid-line';
  report(code, textStart, textEnd, { text: decodeUtf8(bytes, textStart, textEnd) });
}

function diagnoseField(bytes: Uint8Array, scanner: Scanner, report: Report): void {
  const { kind, fieldStart, fieldEnd, textEnd, valueStart, valueEnd } = scanner;
  const field = decodeUtf8(bytes, fieldStart, fieldEnd);
  const suggestion =
    kind === OTHER ? findFieldCorrection(field, decodeUtf8(bytes, valueStart, valueEnd)) : undefined;
  if (suggestion !== undefined) {
    report('unrecognized-field-name', fieldStart, fieldEnd, { field, suggestion });
    return;
  }
  if (!hasColon(scanner)) report('missing-colon', fieldStart, textEnd, { field });
  if (kind === OTHER) {
    report('unknown-field', fieldStart, fieldEnd, { field });
    return;
  }
  const { name, isStandard } = FIELD_NAMES[scanner.fieldName] as FieldName;
  const accepted = (FIELD_NAMES.find((each) => each.kind === kind) as FieldName).name;
  if (!isStandard) report('misspelled-field-name', fieldStart, fieldEnd, { field, accepted });
  if (fieldEnd - fieldStart > name.length)
    report('field-name-suffix', fieldStart, fieldEnd, { field, accepted });
}

function diagnoseUserAgent(bytes: Uint8Array, scanner: Scanner, report: Report): void {
  const { valueStart, valueEnd } = scanner;
  const value = decodeUtf8(bytes, valueStart, valueEnd);
  const isGlobal = isGlobalAgent(bytes, valueStart, valueEnd);
  const end = isGlobal ? valueStart + 1 : findTokenEnd(bytes, valueStart, valueEnd);
  const token = decodeUtf8(bytes, valueStart, end);
  const extended = isGlobal
    ? token
    : decodeUtf8(bytes, valueStart, findExtendedTokenEnd(bytes, end, valueEnd));
  if (extended !== token && /[a-z]/i.test(extended))
    report('extended-token', valueStart, valueStart + extended.length, { value: extended, token });
  else if (end === valueStart) report('invalid-product-token', valueStart, valueEnd, { value });
  else if (end < valueEnd) report('text-after-product-token', end, valueEnd, { value, token });
}

/** The size limit can truncate "Disallow: /private" to "Disallow: /", which disallows the whole site. */
function diagnoseTruncatedRule(
  bytes: Uint8Array,
  scanner: Scanner,
  textAfterLimit: string,
  report: Report,
): void {
  const { kind, textStart, textEnd, lineStart, lineEnd, commentStart } = scanner;
  const isRule = kind === ALLOW || kind === DISALLOW;
  // A cut inside a comment, after a NUL or in trailing white space does not change the rule.
  const isLost = commentStart === lineEnd && !/^[\t\v\f ]*(?:[#\0]|$)/.test(textAfterLimit);
  if (!isRule || !isLost) return;
  const truncated = decodeUtf8(bytes, textStart, textEnd);
  report('rule-truncated', textStart, textEnd, {
    truncated,
    written: decodeUtf8(bytes, lineStart, lineEnd) + textAfterLimit,
  });
}

function diagnosePattern(bytes: Uint8Array, scanner: Scanner, report: Report): void {
  const { valueStart, valueEnd } = scanner;
  if (valueStart === valueEnd || bytes[valueStart] === SLASH || bytes[valueStart] === STAR) return;
  const pattern = decodeUtf8(bytes, valueStart, valueEnd);
  const [, path] = ABSOLUTE_URL.exec(pattern) ?? [];
  if (path === undefined) report('pattern-without-slash', valueStart, valueEnd, { pattern });
  else report('url-as-pattern', valueStart, valueEnd, { pattern, path: `/${path.replace(/^\//, '')}` });
}

/** An absolute URL with an authority. Captures what follows the authority. */
const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*(.*)$/is;

/** Describes a diagnostic in one or two English sentences. */
export function describeDiagnostic({ code, data }: Pick<Diagnostic, 'code' | 'data'>): string {
  return DIAGNOSTIC_KINDS[code].describe(data);
}
