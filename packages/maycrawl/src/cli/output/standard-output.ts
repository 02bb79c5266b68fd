// Standard output.
import { once } from 'node:events';
import { toJson, visibleLines } from '../../text/printable.ts';
import { printMessage } from './terminal.ts';

/** Writes text or bytes, and waits while the reader is slow, so that long output does not accumulate in memory. */
export async function writeOut(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

let isEscapeNoted = false;

/**
 * Writes content of files and sites, such as a robots.txt or lines of CSV. A file or a pipe gets it as it is. On a terminal, characters
 * that could move the cursor, recolour the screen or reorder the text are escaped, and a message on standard error says so once.
 *
 * @param content - whole lines.
 */
export async function writeContent(content: string | Uint8Array): Promise<void> {
  if (process.stdout.isTTY !== true) return writeOut(content);
  const shown = visibleLines(content);
  await writeOut(shown);
  if (isEscapeNoted || isEqual(content, shown)) return;
  isEscapeNoted = true;
  printMessage(
    'the terminal shows escapes of unprintable characters; a file or a pipe gets the bytes as they are',
  );
}

/** Returns whether the bytes of two contents are equal, except for the form of line ends. */
function isEqual(one: string | Uint8Array, other: string): boolean {
  const bytes =
    typeof one === 'string' ? Buffer.from(one) : Buffer.from(one.buffer, one.byteOffset, one.length);
  return bytes.toString('latin1').replace(/\r\n?/g, '\n') === Buffer.from(other).toString('latin1');
}

/** Prints short text and a line end. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a value as JSON, and a line end. @param indent - spaces for each level; without it the JSON takes one line. */
export function printJson(value: unknown, indent?: number): void {
  printLine(toJson(value, indent));
}
