/**
 * Opens inputs: files, standard input, URLs.
 *
 * @module
 */
import { createReadStream } from 'node:fs';
import { openDescriptor } from '../../files/open-descriptor.ts';
import { isRemote, STANDARD_INPUT } from './find-inputs.ts';
import { RemoteError, type RemoteOptions } from './remote/remote-options.ts';

/** Bytes of one read. */
const READ_BYTES = 256 * 1024;

/** How inputs are read. */
export interface ReadInputOptions {
  /** How remote inputs are requested. @defaultValue they are not: each is a problem */
  readonly remote?: RemoteOptions | undefined;
  /** Its abort ends the requests of a remote input. */
  readonly signal?: AbortSignal | undefined;
}

/** Opens an input. Its bytes fail with an error for which {@link isReadError} returns `true`, or with the signal's reason. */
export async function openInput(
  path: string,
  { remote, signal }: ReadInputOptions,
): Promise<AsyncIterable<Uint8Array>> {
  if (path === STANDARD_INPUT) return openDescriptor(0);
  if (!isRemote(path)) return createReadStream(path, { highWaterMark: READ_BYTES });
  if (remote === undefined) return refuseRemote();
  // Loaded late: the HTTP client takes a while to load.
  const { readRemoteFile } = await import('./remote/remote-stream.ts');
  return readRemoteFile(path, remote, signal);
}

/** Whether an input cannot be read: an error of the file system, or of a server. */
export function isReadError(error: unknown): error is Error {
  return error instanceof RemoteError || (error instanceof Error && 'syscall' in error);
}

// biome-ignore lint/correctness/useYield: it has no bytes
async function* refuseRemote(): AsyncGenerator<Uint8Array> {
  throw new RemoteError('remote inputs are not requested here', { isPermanent: true });
}
