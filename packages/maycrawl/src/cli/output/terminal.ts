/**
 * What goes to a terminal: control characters made visible, and colour where it is wanted.
 *
 * @module
 */
import colors from 'picocolors';

type Colors = ReturnType<typeof colors.createColors>;

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

/** Colours for a stream: none unless it is a terminal and nobody asked for none (NO_COLOR). */
export function colorsFor(stream: NodeJS.WriteStream): Colors {
  return colors.createColors(stream.isTTY === true && !process.env['NO_COLOR']);
}

/** Characters of a message that are written: an option's value or a URL in it can be of any length. */
const MAX_MESSAGE_CHARS = 2_000;

/** Says something on standard error, in one line, whatever is in it. Of a long message the middle is omitted. */
export function tell(message: string): void {
  const half = MAX_MESSAGE_CHARS / 2;
  const shown =
    message.length > MAX_MESSAGE_CHARS ? `${message.slice(0, half)} ... ${message.slice(-half)}` : message;
  process.stderr.write(`maycrawl: ${visible(shown)}\n`);
}
