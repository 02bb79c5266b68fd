// Parts of a remote file (RFC 9110 section 14): for tables, of which not all is read.
import { RemoteError, type RemoteOptions } from './remote-options.ts';
import { RemoteRequests } from './remote-requests.ts';
import { Retries } from './retries.ts';

const MAX_PART_BYTES = 1024 * 1024 * 1024;

export interface RemoteRanges {
  readonly byteLength: number;
  /**
   * Reads a part.
   *
   * @param start - the first byte, and `end` the one after the last.
   * @throws {RemoteError} if the part cannot be read, or the file has changed.
   * @throws {RangeError} if the file is shorter.
   */
  readonly read: (start: number, end: number) => Promise<ArrayBuffer>;
}

/** A part, and what the response says about the file. */
interface Part {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly etag: string | undefined;
}

/**
 * Opens a remote file. The first request finds out its length.
 *
 * @param url - an http, https or s3 URL.
 * @throws {RemoteError} if the server does not send the first byte, and only that.
 * @throws the signal's reason if it is aborted.
 */
export async function openRemoteRanges(
  url: string,
  options: RemoteOptions,
  signal?: AbortSignal,
): Promise<RemoteRanges> {
  const requests = new RemoteRequests(options);
  const readPart = (start: number, end: number): Promise<Part> =>
    new Retries(options.retries, signal).run(() => requestPart(requests, url, start, end, signal));
  const { length, etag } = await readPart(0, 1);
  return {
    byteLength: length,
    read: async (start, end) => {
      if (end > length) throw new RangeError(`there is no byte ${end - 1} in ${length} bytes`);
      if (end <= start) return new ArrayBuffer(0);
      const part = await readPart(start, end);
      if (part.length !== length || part.etag !== etag)
        throw new RemoteError('the file changed while it was read', { isPermanent: true });
      return Uint8Array.from(part.bytes).buffer;
    },
  };
}

async function requestPart(
  requests: RemoteRequests,
  url: string,
  start: number,
  end: number,
  signal: AbortSignal | undefined,
): Promise<Part> {
  if (end - start > MAX_PART_BYTES)
    throw new RemoteError(`a part of ${end - start} bytes is too large`, { isPermanent: true });
  const response = await requests.send(url, { range: `bytes=${start}-${end - 1}` }, signal);
  try {
    const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(
      response.getHeader('content-range') ?? '',
    );
    if (
      response.status !== 206 ||
      range === null ||
      Number(range[1]) !== start ||
      Number(range[2]) !== end - 1
    )
      throw new RemoteError('the server does not send parts of files; download the file first', {
        isPermanent: true,
      });
    const bytes = Buffer.alloc(end - start);
    let at = 0;
    for await (const chunk of response.body) {
      if (at + chunk.length > bytes.length) throw new RemoteError('a part is longer than requested');
      bytes.set(chunk, at);
      at += chunk.length;
    }
    if (at < bytes.length) throw new RemoteError(`the response ended after ${at} of ${bytes.length} bytes`);
    return { bytes, length: Number(range[3]), etag: response.getHeader('etag') };
  } finally {
    await response.close();
  }
}
