// Messages and colours on a terminal.
import { truncateMiddle } from '@maycrawl/core/internal';
import colors from 'picocolors';
import { visible } from '../../text/printable.ts';

type Colors = ReturnType<typeof colors.createColors>;

/** Returns the colours for a stream: none unless it is a terminal and NO_COLOR is not set. */
export function getColors(stream: NodeJS.WriteStream): Colors {
  return colors.createColors(stream.isTTY === true && !process.env['NO_COLOR']);
}

/** Maximum length of a message in characters. Values of options and URLs in it can be of any length. */
const MAX_MESSAGE_CHARS = 2_000;

/** Prints a message in one line on standard error. Omits the middle of a long message. */
export function printMessage(message: string): void {
  process.stderr.write(`maycrawl: ${visible(truncateMiddle(message, MAX_MESSAGE_CHARS))}\n`);
}
