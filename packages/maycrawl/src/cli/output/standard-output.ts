/**
 * Standard output.
 *
 * @module
 */
import { once } from 'node:events';
import { toJson } from '../../text/printable.ts';

/** Writes text or bytes, and waits while the reader is slow, so that long output does not accumulate in memory. */
export async function writeOut(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Prints short text and a line end. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a value as JSON, and a line end. @param indent - spaces for each level; without it the JSON takes one line. */
export function printJson(value: unknown, indent?: number): void {
  printLine(toJson(value, indent));
}
