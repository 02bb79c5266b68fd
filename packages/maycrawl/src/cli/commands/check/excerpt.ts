/**
 * The lines of a robots.txt around those that decided.
 *
 * @module
 */
import type { Allowed, Disallowed, RobotsTxt } from '@maycrawl/core';
import { visible } from '../../../text/printable.ts';
import { getColors } from '../../output/terminal.ts';

/** How many lines are shown before and after a line that took part. */
const CONTEXT = 2;
/** How many characters of a line are shown. */
const WIDTH = 160;

/** The lines around the deciding and the losing one; the deciding one is marked `>`, the losing one `x`. */
export function showLines(robots: RobotsTxt, { line, overriddenMatch }: Allowed | Disallowed): string[] {
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
    const text = visible(new TextDecoder().decode(bytes.subarray(0, WIDTH * 4)));
    const cut = text.length > WIDTH ? `${text.slice(0, WIDTH)}...` : text;
    const row = `  ${mark} ${String(number).padStart(4)} | ${cut}`;
    shown.push(mark === '>' ? bold(row) : row);
  }
  return shown;
}
