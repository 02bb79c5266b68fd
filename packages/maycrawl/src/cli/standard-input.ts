/**
 * Standard input, and whether it can be read at all.
 *
 * @module
 */
import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { CommandError } from './errors.ts';

/**
 * Standard input as a stream of bytes.
 *
 * @throws {CommandError} if it is a directory, which Node would take for an empty file.
 */
export function standardInput(): Readable {
  if (fstatSync(0).isDirectory())
    throw new CommandError('cannot read standard input: that is a directory, not a file');
  return process.stdin;
}
