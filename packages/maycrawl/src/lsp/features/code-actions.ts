// Quick fixes: the edits of the linter, with what was proved about them in their titles.

import { truncateMiddle } from '@maycrawl/core/internal';
import type { Finding } from '@maycrawl/core/lint';
import type { CodeAction, Range, TextEdit } from 'vscode-languageserver';
import { visible } from '../../text/printable.ts';
import type { AnalyzedFix } from '../analysis.ts';
import { isInPair } from '../positions.ts';
import type { RobotsDocument } from '../robots-document.ts';
import { toDiagnostic } from './diagnostics.ts';

/** The kinds of code actions. A client requests one with all that it begins. */
export const ACTION_KINDS = { quickFix: 'quickfix', fixAll: 'source.fixAll.maycrawl' } as const;

const MAX_TITLE = 200;

/** The findings with an edit whose lines a range touches. */
export function selectFindings(
  document: RobotsDocument,
  findings: readonly Finding[],
  range: Range,
): Finding[] {
  return findings.filter((finding) => {
    if (finding.fix === undefined && finding.suggestion === undefined) return false;
    const { start, end } = document.toRange(finding);
    return start.line <= range.end.line && end.line >= range.start.line;
  });
}

/** Whether a client requests actions of a kind. @param only - the kinds that it requests; by default all. */
export function isRequested(kind: string, only: readonly string[] | undefined): boolean {
  return only?.some((each) => kind === each || kind.startsWith(`${each}.`)) ?? true;
}

/** Converts proved fixes to code actions of the kinds that a client requests. */
export function toCodeActions(
  document: RobotsDocument,
  fixes: readonly AnalyzedFix[],
  only: readonly string[] | undefined,
  rulesUrl: string | undefined,
): CodeAction[] {
  return fixes.flatMap(({ finding, title, isProved, text }) => {
    const kind = finding === null ? ACTION_KINDS.fixAll : ACTION_KINDS.quickFix;
    if (!isRequested(kind, only)) return [];
    const edit = { changes: { [document.uri]: [createEdit(document, text)] } };
    return [
      {
        title: visible(truncateMiddle(title, MAX_TITLE)),
        kind,
        edit,
        ...(finding !== null && { diagnostics: [toDiagnostic(document, finding, rulesUrl)] }),
        ...(finding !== null && isProved && { isPreferred: true }),
      },
    ];
  });
}

/** Creates the edit from the first to the last difference between the text and a new one. */
function createEdit({ lines, parsedText: before }: RobotsDocument, after: string): TextEdit {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && isSame(before.charCodeAt(start), after.charCodeAt(start))) start++;
  while (start > 0 && (isInside(before, start) || isInside(after, start))) start--;
  let end = 0;
  while (
    end < shortest - start &&
    isSame(before.charCodeAt(before.length - end - 1), after.charCodeAt(after.length - end - 1))
  )
    end++;
  while (end > 0 && (isInside(before, before.length - end) || isInside(after, after.length - end))) end--;
  return {
    range: lines.toRange(start, before.length - end),
    newText: after.slice(start, after.length - end),
  };
}

/** Whether two code units are equal. The bytes of a file have U+FFFD in place of a lone surrogate. */
function isSame(before: number, after: number): boolean {
  return before === after || (after === 0xfffd && before >= 0xd800 && before <= 0xdfff);
}

/** Whether an offset is in a surrogate pair, or in a line end, where no position is. */
function isInside(text: string, offset: number): boolean {
  return isInPair(text, offset) || (text[offset - 1] === '\r' && text[offset] === '\n');
}
