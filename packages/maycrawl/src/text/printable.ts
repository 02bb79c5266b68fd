// Text and JSON that are safe to print on a terminal.

/** Control and format characters, line separators, and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Makes text from files, URLs and headers safe to print: characters that could move the cursor, recolour the screen or
 * reorder the text become `\x1b` or `\u{202e}`.
 */
export function visible(text: string): string {
  return text.replace(UNPRINTABLE, escapeCharacter);
}

/** The escape of one character in a text: `\x1b` or `\u{202e}`. */
export function escapeCharacter(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/** Makes each line of a text, or of a file, which is decoded as UTF-8, safe to print. */
export function visibleLines(content: string | Uint8Array): string {
  const text = typeof content === 'string' ? content : Buffer.from(content).toString();
  return text
    .split(/\r\n|\r|\n/)
    .map(visible)
    .join('\n');
}

/** Serializes a value as JSON that is safe to print: the same characters become escapes of JSON. */
export function toJson(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent));
}

/** Makes JSON safe to print. It stays JSON of the same value. */
export function escapeJson(json: string): string {
  // JSON escapes the control characters of ASCII, except its own line ends.
  return /[^\n -~]/.test(json)
    ? json.replace(UNPRINTABLE, (char) => (char === '\n' ? char : escapeUnits(char)))
    : json;
}

/** The escapes of JSON of one character, one for each UTF-16 code unit. */
export function escapeUnits(char: string): string {
  const units = Array.from({ length: char.length }, (_, index) => char.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
