// The lines of a robots.txt around the deciding rule.
import type { Allowed, Disallowed, RobotsTxt } from '@maycrawl/core';
import { truncate } from '@maycrawl/core/internal';
import { visible } from '../../../text/printable.ts';
import { getColors } from '../../output/terminal.ts';

/** Number of lines before and after a marked line. */
const CONTEXT = 2;
/** Maximum number of characters of a line. */
const WIDTH = 160;

/** Formats the lines around the deciding rule, marked `>`, and the overridden one, marked `x`. */
export function formatExcerpt(robots: RobotsTxt, { line, overriddenMatch }: Allowed | Disallowed): string[] {
  if (line === 0) return [];
  const { bold, dim } = getColors(process.stdout);
  const marked = overriddenMatch === null ? [line] : [line, overriddenMatch.rule.line];
  const shown: string[] = [''];
  let previous = 0;
  let number = 0;
  for (const bytes of robots.lines()) {
    number++;
    if (!marked.some((each) => Math.abs(each - number) <= CONTEXT)) continue;
    if (previous > 0 && number > previous + 1) shown.push(dim('    ...'));
    previous = number;
    const mark = number === line ? '>' : number === overriddenMatch?.rule.line ? 'x' : ' ';
    const text = truncate(new TextDecoder().decode(bytes.subarray(0, WIDTH * 4)), WIDTH);
    const row = `  ${mark} ${String(number).padStart(4)} | ${visible(text)}`;
    shown.push(mark === '>' ? bold(row) : row);
  }
  return shown;
}
