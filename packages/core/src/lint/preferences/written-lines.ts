// Lines as they are written, for fixes that add and move declarations.
import { toByteString } from '../../bytes/byte-string.ts';
import { getSource, type RobotsTxt } from '../../model/robots-txt.ts';
import type { PreferenceLine } from '../../preferences/robots-txt/preference-lines.ts';

/** Longer lists of statements are not repeated by fixes. */
const MAX_STATEMENTS = 20;
const MAX_STATEMENT_LENGTH = 2000;

/** A line. All texts are byte strings. */
interface WrittenLine {
  /** Without line end. */
  readonly text: string;
  /** Empty without one. */
  readonly comment: string;
  readonly lineBreak: string;
}

/** Returns the distinct statements of lines in their order; `undefined` if there are none, or too many for a fix. */
export function listStatements(lines: readonly PreferenceLine[]): readonly string[] | undefined {
  const statements = [...new Set(lines.map(({ statement }) => statement))];
  const isShort = statements.length <= MAX_STATEMENTS && statements.join('').length <= MAX_STATEMENT_LENGTH;
  return statements.length > 0 && isShort ? statements : undefined;
}

/**
 * Reads lines of a file.
 *
 * @param wanted - their numbers.
 * @param spelled - the texts of lines that other fixes replace.
 */
export function readWrittenLines(
  robots: RobotsTxt,
  wanted: ReadonlySet<number>,
  spelled: ReadonlyMap<number, string | null>,
): ReadonlyMap<number, WrittenLine> {
  const found = new Map<number, WrittenLine>();
  if (wanted.size === 0) return found;
  for (const scanner = getSource(robots).scan(); scanner.next(); ) {
    const { bytes, line, lineStart, lineEnd, commentStart, contentEnd } = scanner;
    if (!wanted.has(line)) continue;
    found.set(line, {
      text: spelled.get(line) ?? toByteString(bytes, lineStart, lineEnd),
      comment: toByteString(bytes, commentStart, contentEnd),
      lineBreak: toByteString(bytes, lineEnd, lineEnd + 2).match(/^\r\n?/)?.[0] ?? '\n',
    });
  }
  return found;
}

/** Adds statements after a line. */
export function appendStatements({ text, lineBreak }: WrittenLine, statements: readonly string[]): string {
  return [text, ...statements].join(lineBreak);
}
