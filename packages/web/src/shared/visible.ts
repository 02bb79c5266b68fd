/**
 * Text from files, URLs and headers as it may be shown: nothing in it is invisible or reorders what stands beside it.
 *
 * @module
 */

/** Control and formatting characters, separators of lines, and halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Longer text is cut: nobody reads it, and laying it out takes long. */
const MAX_SHOWN = 400;

/** The text with such characters as `\x1b` or `\u{202e}`, and cut if it is very long. */
export function visible(text: string, limit: number = MAX_SHOWN): string {
  const kept =
    text.length > limit ? `${text.slice(0, limit)}… (${text.length.toLocaleString('en')} characters)` : text;
  return kept.replace(UNPRINTABLE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}
