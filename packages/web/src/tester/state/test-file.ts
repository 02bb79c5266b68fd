/**
 * What the matrix shows as expectations for `maycrawl verify` (docs/robots.test.schema.json).
 *
 * @module
 */
import { CELL } from '../judging/cell.ts';

/** What to write. */
export interface Judged {
  readonly urls: readonly string[];
  readonly crawlers: readonly string[];
  /** A byte for each URL and crawler, row by row, see cell.ts. */
  readonly cells: Uint8Array;
}

/** The file `robots.test.yaml` in which each verdict is an expectation. */
export function testFileOf({ urls, crawlers, cells }: Judged): string {
  const lines = ['# What this robots.txt must do. Check it with: maycrawl verify robots.txt'];
  let leftOut = 0;
  for (const [column, crawler] of crawlers.entries()) {
    const targets = (verdict: number): string[] =>
      urls.filter((_, row) => cells[row * crawlers.length + column] === verdict);
    const [allow, block] = [targets(CELL.allowed), targets(CELL.disallowed)].map((listed) => {
      const plain = listed.filter((url) => !isPattern(url));
      leftOut += listed.length - plain.length;
      return plain;
    }) as [string[], string[]];
    if (allow.length + block.length === 0) continue;
    lines.push(`- agent: ${quote(crawler)}`, ...listOf('allow', allow), ...listOf('block', block));
  }
  if (leftOut > 0)
    lines.splice(1, 0, `# Left out: ${leftOut}, which have a * or end with $ and would be read as patterns.`);
  return `${lines.join('\n')}\n`;
}

function listOf(name: string, targets: readonly string[]): string[] {
  return targets.length === 0 ? [] : [`  ${name}:`, ...targets.map((target) => `    - ${quote(target)}`)];
}

/** As `maycrawl verify` tells patterns from URLs. */
function isPattern(url: string): boolean {
  return url.includes('*') || url.endsWith('$');
}

/** What YAML, old or new, takes for something other than text. */
const YAML_WORD = /^(y|n|yes|no|on|off|true|false|null)$/i;

/** A YAML scalar: plain where that is safe beyond doubt, else in double quotes, of which JSON's are a part. */
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
