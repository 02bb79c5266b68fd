// Opens inputs: files, standard input, URLs.

import { createReadStream } from 'node:fs';
import { checkOptions } from '@maycrawl/core/internal';
import type { AsyncBuffer } from 'hyparquet';
import { openDescriptor } from '../../files/open-descriptor.ts';
import type { InputTotals } from '../input-totals.ts';
import { isRemote, STANDARD_INPUT } from './find-inputs.ts';
import { checkRemoteOptions, RemoteError, type RemoteOptions } from './remote/remote-options.ts';

const READ_BYTES = 256 * 1024;

/** How inputs are read. */
export interface ReadInputOptions {
  /** How remote inputs are requested. @defaultValue they are not: each is a problem */
  readonly remote?: RemoteOptions | undefined;
  /** Its abort ends the requests of a remote input. */
  readonly signal?: AbortSignal | undefined;
}

/** Checks the options of an entry that reads inputs. @throws {TypeError} if one is unknown, or has a wrong type. */
export function checkReadOptions(owner: string, options: ReadInputOptions): void {
  checkOptions<ReadInputOptions>(owner, options, { remote: 'object', signal: 'object' });
  if (options.remote !== undefined) checkRemoteOptions(options.remote);
}

/**
 * Opens an input.
 *
 * @throws like its bytes: an error for which {@link isReadError} returns `true`, or the signal's reason.
 */
export async function openInput(
  path: string,
  { remote, signal }: ReadInputOptions,
): Promise<AsyncIterable<Uint8Array>> {
  if (path === STANDARD_INPUT) return openDescriptor(0);
  if (!isRemote(path)) return createReadStream(path, { highWaterMark: READ_BYTES });
  if (remote === undefined) throw createRefusal();
  // Loaded late: the HTTP client takes a while to load.
  const { readRemoteFile } = await import('./remote/remote-stream.ts');
  return readRemoteFile(path, remote, signal);
}

/** Opens a remote file to read parts of it. @param totals - receive the number of bytes. @throws as {@link openInput} does. */
export async function openRemoteTable(
  path: string,
  totals: InputTotals,
  { remote, signal }: ReadInputOptions,
): Promise<AsyncBuffer> {
  if (remote === undefined) throw createRefusal();
  const { openRemoteRanges } = await import('./remote/remote-ranges.ts');
  const { byteLength, read } = await openRemoteRanges(path, remote, signal);
  const slice = async (start: number, end: number = byteLength): Promise<ArrayBuffer> => {
    const bytes = await read(start, end);
    totals.inputBytes += bytes.byteLength;
    return bytes;
  };
  return { byteLength, slice };
}

/** A file is not a table with captures. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

/** Whether an input cannot be read: an error of the file system or a server, or another file than its name says. */
export function isReadError(error: unknown): error is Error {
  if (error instanceof TableError) return true;
  return error instanceof RemoteError || (error instanceof Error && 'syscall' in error);
}

function createRefusal(): RemoteError {
  return new RemoteError('remote inputs are not requested here', { isPermanent: true });
}
