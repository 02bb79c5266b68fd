// Makes text from files, URLs and headers safe to show: without characters that are invisible or reorder the text around them.
import { truncate } from '@maycrawl/core/internal';

/** Control and format characters, line separators, and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Characters that are shown by default: the layout of long text is slow. */
const MAX_SHOWN = 400;

/** Escapes such characters as `\x1b` or `\u{202e}`, and truncates long text. */
export function visible(text: string, limit: number = MAX_SHOWN): string {
  const shown =
    text.length > limit ? `${truncate(text, limit)} (${text.length.toLocaleString('en')} characters)` : text;
  return shown.replace(UNPRINTABLE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}
