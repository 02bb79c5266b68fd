// Streams of files that are open already, such as standard input.
import { createReadStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Bytes of one read: several times as fast as Node's default size. */
const READ_BYTES = 512 * 1024;

/** Opens a stream of an open file. A stream of a pipe or a socket can be destroyed while it waits for a writer. */
export function openDescriptor(descriptor: number): Readable {
  const stats = fstatSync(descriptor);
  return stats.isFIFO() || stats.isSocket()
    ? new Socket({ fd: descriptor, readable: true, writable: false })
    : createReadStream('', { fd: descriptor, highWaterMark: READ_BYTES });
}
