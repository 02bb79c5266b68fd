/**
 * Text that is safe to print on a terminal, as such and in JSON.
 *
 * @module
 */

/** Control and formatting characters, separators of lines, and halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Text from files, URLs and headers as it may be printed: characters that could move the cursor, recolour the screen or
 * reorder the text are shown as `\x1b` or `\u{202e}`.
 */
export function visible(text: string): string {
  return text.replace(UNPRINTABLE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** JSON that is safe to print: the same characters are escapes in it, which read as what they are. */
export function toJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent);
  // JSON itself escapes control characters of ASCII; its own line ends are wanted.
  return /[^\n -~]/.test(json)
    ? json.replace(UNPRINTABLE, (char) => (char === '\n' ? char : escapeUnits(char)))
    : json;
}

function escapeUnits(char: string): string {
  const units = Array.from({ length: char.length }, (_, index) => char.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
