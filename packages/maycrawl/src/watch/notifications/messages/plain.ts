/**
 * Text from sites as people may be shown it: one cannot see through a character that hides, reorders or breaks lines.
 *
 * @module
 */
import { createHash } from 'node:crypto';

/**
 * Control and formatting characters, separators of lines, halves of surrogate pairs, what is shown as nothing, and code points that
 * are no characters, which XML does not take.
 */
const UNPRINTABLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** One line, in which unprintable characters are shown as `\x1b` or `\u{202e}`. */
export function plainLine(text: string, maxLength: number): string {
  // Shortened first, too: an escape is longer than what it stands for.
  return shorten(shorten(text, maxLength).replace(UNPRINTABLE, visible).trim(), maxLength);
}

/** The same of a few lines, which stay lines. */
export function plainLines(text: string, maxLength: number): string {
  const lines = shorten(text, maxLength).split(/\r\n|[\r\n]/);
  return shorten(lines.map((line) => line.replace(UNPRINTABLE, visible)).join('\n'), maxLength).trim();
}

/** JSON in which these characters are escapes, which read as what they are. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(UNPRINTABLE, (char) =>
    Array.from(
      { length: char.length },
      (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** The start of a text that is too long; no character is cut in two. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** An id as it may stand in a header, an address or a URN: itself if it is plain, else its hash. */
export function plainId(id: string): string {
  return /^[\w.-]{1,100}$/.test(id) ? id : hashOf(id);
}

/** A short hash, in hexadecimal. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function visible(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
