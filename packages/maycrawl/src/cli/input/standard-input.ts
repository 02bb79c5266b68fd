/**
 * Standard input.
 *
 * @module
 */
import { createReadStream, fstatSync, type Stats, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { CommandError } from '../output/errors.ts';

/** Bytes of one read: several times as fast as Node's default size. */
const READ_BYTES = 512 * 1024;

/**
 * Opens standard input.
 *
 * @throws {CommandError} if it is a directory, which Node reads as an empty file, or /dev/null: an empty robots.txt allows everything.
 */
export function openStandardInput(): Readable {
  const stats = fstatSync(0);
  if (stats.isDirectory())
    throw new CommandError('cannot read standard input: it is a directory, not a file');
  if (isNullDevice(stats))
    throw new CommandError('cannot read standard input: nothing is connected to it (/dev/null)');
  return stats.isFile() ? openDescriptor(0) : process.stdin;
}

/** Whether it is /dev/null, which Node opens if standard input is closed, as in a container without `-i`. */
function isNullDevice(stats: Stats): boolean {
  if (!stats.isCharacterDevice()) return false;
  return stats.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

/** Opens a stream of an open file. A stream of a named pipe can be destroyed while it waits for a writer. */
export function openDescriptor(descriptor: number): Readable {
  return fstatSync(descriptor).isFIFO()
    ? new Socket({ fd: descriptor, readable: true, writable: false })
    : createReadStream('', { fd: descriptor, highWaterMark: READ_BYTES });
}
