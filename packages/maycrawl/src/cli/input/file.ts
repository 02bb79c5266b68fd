// Files that the command line names.
import { createReadStream, fstatSync, type ReadStream } from 'node:fs';
import { MAX_FILE_BYTES } from '@maycrawl/core';
import { readStart } from '@maycrawl/core/internal';
import { describeFileError } from '../../files/file-error.ts';
import { visible } from '../../text/printable.ts';
import { CommandError } from '../output/errors.ts';
import { openStandardInput } from './standard-input.ts';

/** Reads at most `maxBytes` bytes of a file. @throws {CommandError} if it cannot be read. */
export async function readFileStart(path: string, maxBytes: number): Promise<Uint8Array> {
  return readNamed(visible(path), () => createReadStream(path), maxBytes);
}

/** Bytes of a text that people write or a site publishes, such as a list or a document. */
export const MAX_TEXT_BYTES = 5_000_000;

/** Reads a text file. @throws {CommandError} if it cannot be read, or has more than `maxBytes` bytes. */
export async function readTextFile(path: string, maxBytes: number): Promise<string> {
  return readText(path, () => createReadStream(path), maxBytes);
}

/**
 * Reads a text file with secrets.
 *
 * @throws {CommandError} as {@link readTextFile} does, and if other users can read or write the file, or its group can write it.
 */
export async function readSecretFile(path: string, maxBytes: number): Promise<string> {
  const open = (): ReadStream => {
    const stream = createReadStream(path);
    // Of the open file: the path may name another one a moment later.
    return stream.once('open', (file: number) => {
      if (process.platform === 'win32' || (fstatSync(file).mode & EXPOSED) === 0) return;
      const problem = 'other users can read or write it';
      stream.destroy(
        new CommandError(`cannot use ${visible(path)}: ${problem}; set its mode to 0600 or 0640`),
      );
    });
  };
  return readText(path, open, maxBytes);
}

/** Rights of others to read and write, and of the group to write. */
const EXPOSED = 0o026;

async function readText(path: string, open: () => ReadStream, maxBytes: number): Promise<string> {
  const bytes = await readNamed(visible(path), open, maxBytes + 1);
  if (bytes.length > maxBytes)
    throw new CommandError(`cannot read ${visible(path)}: it has more than ${maxBytes} bytes`);
  return Buffer.from(bytes).toString();
}

/** Reads text from standard input. @throws {CommandError} if it cannot be read, or has more than `maxBytes` bytes. */
export async function readTextInput(maxBytes: number): Promise<string> {
  const bytes = await readNamed('standard input', openStandardInput, maxBytes + 1);
  if (bytes.length > maxBytes)
    throw new CommandError(`cannot read standard input: it has more than ${maxBytes} bytes`);
  return Buffer.from(bytes).toString();
}

/** Reads a robots.txt, up to the first byte that is ignored. @param name - a path, or `-`. @throws {CommandError} if it cannot be read. */
export async function readRobotsFile(name: string): Promise<Uint8Array> {
  const maxBytes = MAX_FILE_BYTES + 1;
  return name === '-'
    ? readNamed('standard input', openStandardInput, maxBytes)
    : readFileStart(name, maxBytes);
}

async function readNamed(
  name: string,
  open: () => AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  try {
    return await readStart(open(), maxBytes);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`cannot read ${name}: ${describeFileError(cause)}`, { cause });
  }
}
