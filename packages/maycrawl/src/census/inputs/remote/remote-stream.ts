// The bytes of a remote file. After a broken connection the rest is requested (RFC 9110 section 14). If the server sends the whole file
// again, what was read before is compared and skipped.
import { createHash } from 'node:crypto';
import { RemoteError, type RemoteOptions } from './remote-options.ts';
import { RemoteRequests, type RemoteResponse } from './remote-requests.ts';
import { Retries } from './retries.ts';

interface FileVersion {
  /** Length of the whole file in bytes; `undefined` if it is unknown. */
  readonly length: number | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/**
 * Reads a remote file.
 *
 * @param url - an http, https or s3 URL.
 * @throws {RemoteError} if the file cannot be read to its end, or changes while it is read.
 * @throws the signal's reason if it is aborted.
 */
export async function* readRemoteFile(
  url: string,
  options: RemoteOptions,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const requests = new RemoteRequests(options);
  const retries = new Retries(options.retries, signal);
  const received = createHash('sha256');
  let version: FileVersion | undefined;
  let offset = 0;
  for (;;) {
    let response: RemoteResponse | undefined;
    try {
      const headers = version === undefined || offset === 0 ? {} : toRangeHeaders(offset, version);
      response = await requests.send(url, headers, signal);
      const { start, ...found } = readPlace(response, offset);
      // If nothing was read before, a file that has changed is as good.
      if (version !== undefined && offset > 0) requireSame(version, found, start);
      version = found;
      const known = offset;
      const repeated = createHash('sha256');
      let at = start;
      for await (const chunk of response.body) {
        const old = chunk.subarray(0, Math.max(0, known - at));
        if (old.length > 0) {
          repeated.update(old);
          if (at + old.length === known && repeated.digest('hex') !== received.copy().digest('hex'))
            throw createChangeError();
        }
        at += chunk.length;
        const fresh = chunk.subarray(old.length);
        if (fresh.length === 0) continue;
        received.update(fresh);
        retries.receive(fresh.length);
        offset += fresh.length;
        yield fresh;
      }
      if (at < known) throw createChangeError();
      if (version.length === undefined || at === version.length) return;
      throw new RemoteError(`the response ended after ${at} of ${version.length} bytes`);
    } catch (error) {
      await response?.close();
      response = undefined;
      await retries.wait(error);
    } finally {
      await response?.close();
    }
  }
}

function createChangeError(): RemoteError {
  return new RemoteError('the file changed while it was read', { isPermanent: true });
}

/** Creates the headers of a request of the rest. */
function toRangeHeaders(offset: number, { etag, lastModified }: FileVersion): Record<string, string> {
  // A weak validator does not identify bytes (RFC 9110 section 13.1.5).
  const validator = etag?.startsWith('"') ? etag : lastModified;
  return { range: `bytes=${offset}-`, ...(validator !== undefined && { 'if-range': validator }) };
}

/** Reads which part of a file a response has. @param offset - the start of the part that was requested. */
function readPlace(
  { status, getHeader }: RemoteResponse,
  offset: number,
): FileVersion & { readonly start: number } {
  const version = { etag: getHeader('etag'), lastModified: getHeader('last-modified') };
  if (status === 200) {
    const length = getHeader('content-length');
    return { start: 0, length: length === undefined ? undefined : Number(length), ...version };
  }
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(getHeader('content-range') ?? '');
  if (range === null || Number(range[1]) !== offset)
    throw new RemoteError('the server sent another part of the file than the requested one', {
      isPermanent: true,
    });
  return { start: offset, length: range[3] === '*' ? undefined : Number(range[3]), ...version };
}

/** Requires that a response has the rest of the same file. A whole file is compared with what was read. */
function requireSame(before: FileVersion, after: FileVersion, start: number): void {
  const isSameLength = [before.length, after.length].includes(undefined) || before.length === after.length;
  const isSameTag =
    start === 0 || [before.etag, after.etag].includes(undefined) || before.etag === after.etag;
  if (!isSameLength || !isSameTag) throw createChangeError();
}
