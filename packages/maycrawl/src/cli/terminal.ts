/**
 * What goes to a terminal: control characters made visible, and colour where it is wanted.
 *
 * @module
 */
import colors from 'picocolors';

type Colors = ReturnType<typeof colors.createColors>;

/**
 * Text from files, URLs and headers as it may be printed: control and formatting characters (which could move the
 * cursor, recolour the screen or reorder the text) are shown as `\x1b` or `\u202e`.
 */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Colours for a stream: none unless it is a terminal and nobody asked for none (NO_COLOR). */
export function colorsFor(stream: NodeJS.WriteStream): Colors {
  return colors.createColors(stream.isTTY === true && !process.env['NO_COLOR']);
}

/** Says something on standard error, in one line. */
export function tell(message: string): void {
  process.stderr.write(`maycrawl: ${message}\n`);
}
