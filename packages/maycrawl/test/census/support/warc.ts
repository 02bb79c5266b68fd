import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** A record to write. */
export interface RecordSource {
  readonly type?: string;
  readonly url?: string;
  readonly block: Buffer | string;
  /** Further header lines, without line ends. */
  readonly headers?: readonly string[];
  readonly version?: string;
  readonly lineEnd?: string;
  /** @defaultValue the length of the block */
  readonly contentLength?: number | string;
}

/** Writes a WARC record. */
export function writeRecord({
  type = 'response',
  url,
  block,
  headers = [],
  version = 'WARC/1.0',
  lineEnd = '\r\n',
  contentLength,
}: RecordSource): Buffer {
  const bytes = Buffer.from(block);
  const lines = [
    version,
    `WARC-Type: ${type}`,
    'WARC-Date: 2026-01-02T03:04:05Z',
    'WARC-Record-ID: <urn:uuid:9c4d8a9e-0000-4000-8000-000000000000>',
    ...(url === undefined ? [] : [`WARC-Target-URI: ${url}`]),
    `Content-Length: ${contentLength ?? bytes.length}`,
    ...headers,
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join(lineEnd)), bytes, Buffer.from('\r\n\r\n')]);
}

/** Writes the block of a response. */
export function writeResponse(
  body: Buffer | string,
  headers: readonly string[] = [],
  { status = 200, lineEnd = '\r\n' }: { readonly status?: number; readonly lineEnd?: string } = {},
): Buffer {
  const head = [`HTTP/1.1 ${status} Text`, ...headers, '', ''].join(lineEnd);
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

/** Writes a record with the response of a robots.txt. */
export function writeRobotsTxt(
  host: string,
  body: Buffer | string,
  { headers, ...rest }: Partial<RecordSource> & { readonly http?: readonly string[] } = {},
): Buffer {
  const { http = ['Content-Type: text/plain'], ...record } = rest;
  const digest = `WARC-Payload-Digest: sha1:${createHash('sha1').update(body).digest('hex')}`;
  return writeRecord({
    url: `http://${host}/robots.txt`,
    block: writeResponse(body, http),
    headers: headers ?? [digest],
    ...record,
  });
}

/** Compresses each record to a gzip member of its own. */
export function toMembers(records: readonly Buffer[]): Buffer {
  return Buffer.concat(records.map((record) => gzipSync(record)));
}

/** Cuts bytes into chunks as a stream delivers them. */
export async function* toChunks(bytes: Uint8Array, size: number = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield Uint8Array.from(bytes.subarray(at, at + size));
}
