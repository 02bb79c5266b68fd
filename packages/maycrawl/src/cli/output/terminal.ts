/**
 * Messages and colours on a terminal.
 *
 * @module
 */
import colors from 'picocolors';
import { visible } from '../../text/printable.ts';

type Colors = ReturnType<typeof colors.createColors>;

/** Colours for a stream: none unless it is a terminal and nobody asked for none (NO_COLOR). */
export function getColors(stream: NodeJS.WriteStream): Colors {
  return colors.createColors(stream.isTTY === true && !process.env['NO_COLOR']);
}

/** Characters of a message that are written: an option's value or a URL in it can be of any length. */
const MAX_MESSAGE_CHARS = 2_000;

/** Says something on standard error, in one line, whatever is in it. Of a long message the middle is omitted. */
export function printMessage(message: string): void {
  const half = MAX_MESSAGE_CHARS / 2;
  const shown =
    message.length > MAX_MESSAGE_CHARS ? `${message.slice(0, half)} ... ${message.slice(-half)}` : message;
  process.stderr.write(`maycrawl: ${visible(shown)}\n`);
}
