// Text from sites, with escapes for characters that hide text, change its order or break lines.

import { createHash } from 'node:crypto';
import { truncate } from '@maycrawl/core/internal';
import { escapeCharacter, escapeUnits } from '../text/printable.ts';

/**
 * Control and formatting characters, line separators, halves of surrogate pairs, invisible characters, and noncharacters, which XML
 * does not allow.
 */
const UNPRINTABLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** Formats a text as one line, with unprintable characters as `\x1b` or `\u{202e}`. */
export function plainLine(text: string, maxLength: number): string {
  // Shortened before, too: an escape is longer than its character.
  return truncate(truncate(text, maxLength).replace(UNPRINTABLE, escapeCharacter).trim(), maxLength);
}

/** The same as {@link plainLine}, but line breaks stay. */
export function plainLines(text: string, maxLength: number): string {
  const lines = truncate(text, maxLength).split(/\r\n|[\r\n]/);
  return truncate(
    lines.map((line) => line.replace(UNPRINTABLE, escapeCharacter)).join('\n'),
    maxLength,
  ).trim();
}

/** Formats JSON, with escapes of JSON for these characters. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(UNPRINTABLE, escapeUnits);
}

/** Returns an id for a header, an address or a URN: the id itself if it has only safe characters, else its hash. */
export function plainId(id: string): string {
  return /^[\w.-]{1,100}$/.test(id) ? id : hashText(id);
}

/** Returns a short hash, in hexadecimal. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
