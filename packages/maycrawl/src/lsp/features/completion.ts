// Completion: field names, the tokens of the catalogue after `User-agent:`, and labels of preferences with their values. It reads only the
// line of the position, so its time does not depend on the size of the file.

import { type DeclarationFormat, LABELS, type Label, PREFERENCE_SYNTAX } from '@maycrawl/core/preferences';
import type { CompletionItem, CompletionItemKind, Position, Range } from 'vscode-languageserver';
import { rankRecords } from '../catalogue-crawlers.ts';
import type { RobotsDocument } from '../robots-document.ts';
import { describeCrawler } from '../texts/crawler-text.ts';
import { FIELDS } from '../texts/fields.ts';
import { type TextFormat, toMarkup } from '../texts/text-format.ts';

const KINDS = { field: 10, crawler: 12, label: 20 } as const satisfies Record<string, CompletionItemKind>;

/** The characters that open completion in editors: after a field, and between labels. */
export const TRIGGER_CHARACTERS: readonly string[] = [':', ' ', ','];

/** Returns what can stand at a position. */
export function getCompletion(
  document: RobotsDocument,
  position: Position,
  format: TextFormat,
): CompletionItem[] {
  const { lines } = document;
  const offset = lines.toOffset(position);
  const start = lines.getStart(position.line);
  const before = lines.text.slice(start, offset);
  if (before.includes('#') || before.includes('\0')) return [];
  const after = lines.text.slice(offset, lines.getEnd(position.line));
  const colon = before.indexOf(':');
  /** The range from a column of the line to the end of the word at the position. */
  const getRange = (column: number, rest: RegExp): Range =>
    lines.toRange(start + column, offset + (rest.exec(after)?.[0].length ?? 0));
  if (colon < 0) return completeField(before, after, getRange);
  const field = before.slice(0, colon).trim().toLowerCase();
  const value = before.slice(colon + 1);
  const valueStart = colon + 1 + (value.length - value.trimStart().length);
  if (/^user-?\s?agent/.test(field)) {
    // A value with white space is no token.
    return /\S\s/.test(value) ? [] : completeCrawler(getRange(valueStart, /^[\w.-]*/), format);
  }
  const preference = /^content-(usage|signal)s?$/.exec(field)?.[1];
  if (preference === undefined) return [];
  // The word after the last separator: a path can stand before the first label of Content-Usage.
  const word = findWord(before);
  return completeLabel(
    preference === 'usage' ? 'content-usage' : 'content-signal',
    getRange(word, /^[\w=-]*/),
    lines.getLine(position.line),
  );
}

/** Finds the start of the last word of a text, which a colon, a comma or white space precedes. */
function findWord(text: string): number {
  let start = text.length;
  while (start > 0 && !/[:,\s]/.test(text[start - 1] as string)) start--;
  return start;
}

function completeField(
  before: string,
  after: string,
  getRange: (column: number, rest: RegExp) => Range,
): CompletionItem[] {
  const column = before.length - before.trimStart().length;
  const hasColon = /^[\w-]*\s*:/.test(after);
  const range = getRange(column, /^[\w-]*/);
  return FIELDS.map(({ name, description }, index) => ({
    label: name,
    kind: KINDS.field,
    documentation: description,
    sortText: toSortText(index),
    textEdit: { range, newText: hasColon ? name : `${name}: ` },
  }));
}

function completeCrawler(range: Range, format: TextFormat): CompletionItem[] {
  const all: CompletionItem = {
    label: '*',
    kind: KINDS.crawler,
    detail: 'all crawlers without a group of their own',
    sortText: toSortText(0),
    textEdit: { range, newText: '*' },
  };
  const crawlers = rankRecords().map((record, index) => ({
    label: record.token,
    kind: KINDS.crawler,
    detail: `${record.operator}, ${record.kind}`,
    documentation: toMarkup(format, describeCrawler(record, format)),
    sortText: toSortText(index + 1),
    textEdit: { range, newText: record.token },
    ...(record.retired !== undefined && { tags: [1 as const] }),
  }));
  return [all, ...crawlers];
}

/** Completes a label that the line does not have, with each of its values. */
function completeLabel(format: DeclarationFormat, range: Range, line: string): CompletionItem[] {
  const { allowed, disallowed } = PREFERENCE_SYNTAX[format];
  const written = new Set(line.split(/[:,\s]/).map((word) => word.split('=', 1)[0]?.toLowerCase()));
  const isMissing = ({ label }: Label): boolean => !written.has(label);
  const labels = LABELS.filter(
    (label) => label.format === format && label.isCurrent && label.label !== 'use',
  );
  const current = labels.filter(isMissing);
  return (current.length === 0 ? labels : current).flatMap(({ label, purpose, source }, index) =>
    [disallowed, allowed].map((value, order) => ({
      label: `${label}=${value}`,
      kind: KINDS.label,
      detail: `${value === allowed ? 'allows' : 'refuses'} ${purpose}`,
      documentation: source,
      sortText: toSortText(index * 2 + order),
      textEdit: { range, newText: `${label}=${value}` },
    })),
  );
}

function toSortText(index: number): string {
  return String(index).padStart(4, '0');
}
