// Ranges that editors can fold: groups, and comments of several lines.
import type { FoldingRange } from 'vscode-languageserver';
import type { RobotsDocument } from '../robots-document.ts';
import { listRecords } from './symbols.ts';

/** Returns the ranges of the start of a file, by whole lines. */
export function getFoldingRanges({ head: document }: RobotsDocument): FoldingRange[] {
  const groups = document.groups.flatMap((group) => {
    const records = listRecords(group);
    const [first, last] = [records[0]?.line ?? 1, records.at(-1)?.line ?? 1];
    return last > first ? [{ startLine: first - 1, endLine: last - 1 }] : [];
  });
  return [...groups, ...findComments(document)].sort((a, b) => a.startLine - b.startLine);
}

function findComments({ lines }: RobotsDocument): FoldingRange[] {
  const ranges: FoldingRange[] = [];
  let start = -1;
  for (let line = 0; line <= lines.count; line++) {
    if (line < lines.count && isComment(lines.text, lines.getStart(line), lines.getEnd(line))) {
      if (start < 0) start = line;
      continue;
    }
    if (start >= 0 && line - start > 1) ranges.push({ startLine: start, endLine: line - 1, kind: 'comment' });
    start = -1;
  }
  return ranges;
}

/** Whether the first character of a line that is no white space starts a comment. */
function isComment(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && (text[at] === ' ' || text[at] === '\t')) at++;
  return text[at] === '#' && at < end;
}
