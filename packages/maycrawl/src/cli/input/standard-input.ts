// Standard input.
import { fstatSync, type Stats, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { openDescriptor } from '../../files/open-descriptor.ts';
import { CommandError } from '../output/errors.ts';

/** Opens standard input. @throws {CommandError} as {@link requireStandardInput} does. */
export function openStandardInput(): Readable {
  return requireStandardInput().isFile() ? openDescriptor(0) : process.stdin;
}

/**
 * Checks that standard input can be read.
 *
 * @throws {CommandError} if it is a directory, which Node reads as an empty file, or /dev/null: an empty robots.txt allows everything.
 */
export function requireStandardInput(): Stats {
  const stats = fstatSync(0);
  if (stats.isDirectory())
    throw new CommandError('cannot read standard input: it is a directory, not a file');
  if (isNullDevice(stats))
    throw new CommandError('cannot read standard input: nothing is connected to it (/dev/null)');
  return stats;
}

/** Whether it is /dev/null, which Node opens if standard input is closed, as in a container without `-i`. */
function isNullDevice(stats: Stats): boolean {
  if (!stats.isCharacterDevice()) return false;
  return stats.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}
