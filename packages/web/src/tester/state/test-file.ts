// The verdicts of the matrix as expectations for `maycrawl verify` (docs/robots.test.schema.json).
import { GOOGLE } from '@maycrawl/core';
import { formatCount } from '../../shared/text.ts';
import { CELL } from '../judging/cell.ts';
import type { Matrix } from '../judging/use-results.ts';

/** The command that checks the file. @param profile - the name of the profile of the verdicts. */
export function formatVerifyCommand(profile: string): string {
  return `maycrawl verify robots.txt${profile === GOOGLE.name ? '' : ` --profile ${profile}`}`;
}

/** Formats the file `robots.test.yaml`, in which each verdict is an expectation. */
export function formatTestFile({ urls, crawlers, cells }: Matrix, profile: string): string {
  const lines = [`# What this robots.txt must do. Check it with: ${formatVerifyCommand(profile)}`];
  let omitted = 0;
  for (const [column, crawler] of crawlers.entries()) {
    const targets = (verdict: number): string[] =>
      urls.filter((_, row) => cells[row * crawlers.length + column] === verdict);
    const [allow, block] = [targets(CELL.allowed), targets(CELL.disallowed)].map((listed) => {
      const plain = listed.filter((url) => !isPattern(url));
      omitted += listed.length - plain.length;
      return plain;
    }) as [string[], string[]];
    if (allow.length + block.length === 0) continue;
    lines.push(`- agent: ${quote(crawler)}`, ...formatList('allow', allow), ...formatList('block', block));
  }
  if (omitted > 0)
    lines.splice(
      1,
      0,
      `# Omitted: ${formatCount(omitted, 'URL')} with * or $ at the end, which would be patterns.`,
    );
  return `${lines.join('\n')}\n`;
}

function formatList(name: string, targets: readonly string[]): string[] {
  return targets.length === 0 ? [] : [`  ${name}:`, ...targets.map((target) => `    - ${quote(target)}`)];
}

/** Whether `maycrawl verify` reads it as a pattern. */
function isPattern(url: string): boolean {
  return url.includes('*') || url.endsWith('$');
}

/** Words that YAML 1.1 or 1.2 reads as another type than text. */
const YAML_WORD = /^(y|n|yes|no|on|off|true|false|null)$/i;

/** Formats a YAML scalar: plain where that is certainly safe, else in double quotes, which include those of JSON. */
function quote(text: string): string {
  if (/^(\/|https?:\/\/)[\w/.?=&%~+-]*$/.test(text)) return text;
  if (/^[A-Za-z][\w-]*$/.test(text) && !YAML_WORD.test(text)) return text;
  return JSON.stringify(text).replace(/[\x7f-\u{10ffff}]/gu, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code > 0xffff
      ? `\\U${code.toString(16).padStart(8, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
