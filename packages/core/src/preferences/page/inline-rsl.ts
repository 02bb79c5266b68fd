// RSL documents in a page.
import { listRslProblems, parseRsl, type RslContent } from '../documents/parse-rsl.ts';
import type { SourceProblem } from '../source-problem.ts';
import type { PageSources } from '../sources.ts';

/** The element that contains an RSL document. */
export const INLINE_NAME = 'script';
const MAX_INLINE = 20;

export function readInlineRsl({ inlineRsl = [] }: PageSources): {
  readonly contents: readonly RslContent[];
  readonly problems: readonly SourceProblem[];
} {
  const files = inlineRsl.slice(0, MAX_INLINE).map(parseRsl);
  const problems = files.flatMap((file) => listRslProblems(file, 'html', INLINE_NAME));
  if (inlineRsl.length > MAX_INLINE)
    problems.push({
      ...{ source: 'html', name: INLINE_NAME, line: null },
      reason: `more than ${MAX_INLINE} RSL documents: the others are not read`,
    });
  return { contents: files.flatMap((file) => file?.contents ?? []), problems };
}
