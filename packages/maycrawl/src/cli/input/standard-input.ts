/**
 * Standard input, and whether it can be read at all.
 *
 * @module
 */
import { createReadStream, fstatSync, type Stats, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { CommandError } from '../output/errors.ts';

/** A file is read in pieces of this size, several times as fast as in those that Node takes by itself. */
const READ_BYTES = 512 * 1024;

/**
 * Standard input as a stream of bytes.
 *
 * @throws {CommandError} if it is a directory, which Node would take for an empty file, or nothing is connected: an empty robots.txt
 *   would allow everything.
 */
export function standardInput(): Readable {
  const stats = fstatSync(0);
  if (stats.isDirectory())
    throw new CommandError('cannot read standard input: that is a directory, not a file');
  if (isNullDevice(stats))
    throw new CommandError('cannot read standard input: nothing is connected to it (/dev/null)');
  return stats.isFile() ? readFrom(0) : process.stdin;
}

/** Whether it is /dev/null, which Node opens where standard input is closed, as a container without `-i` does. */
function isNullDevice(stats: Stats): boolean {
  if (!stats.isCharacterDevice()) return false;
  return stats.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

/** A stream of the bytes of an open file. One of a named pipe can be ended while it waits for whoever writes. */
export function readFrom(descriptor: number): Readable {
  return fstatSync(descriptor).isFIFO()
    ? new Socket({ fd: descriptor, readable: true, writable: false })
    : createReadStream('', { fd: descriptor, highWaterMark: READ_BYTES });
}
