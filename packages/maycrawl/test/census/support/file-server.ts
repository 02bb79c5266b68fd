import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';

/** How a server of one file behaves. */
export interface FileServerOptions {
  /** Whether it serves ranges. @defaultValue true */
  readonly hasRanges?: boolean;
  /** Bytes after which it breaks each connection. @defaultValue never */
  readonly breaksAfter?: number;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly etag?: string | null;
  /** The file of a request. @defaultValue the same file each time */
  readonly getFile?: (request: number) => Buffer;
}

/** A server of one file, and the ranges that were requested. */
export interface FileServer extends TestServer {
  readonly ranges: (string | undefined)[];
  readonly received: IncomingMessage[];
}

/** Serves a file, as a web server does. */
export async function serveFile(file: Buffer, options: FileServerOptions = {}): Promise<FileServer> {
  const { hasRanges = true, breaksAfter, headers = {}, etag = '"v1"', getFile = () => file } = options;
  const received: IncomingMessage[] = [];
  const ranges: (string | undefined)[] = [];
  const site = await serve((request, response) => {
    received.push(request);
    ranges.push(request.headers.range);
    const content = getFile(received.length);
    const own = { ...(etag !== null && { etag }), ...headers };
    const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const condition = request.headers['if-range'];
    const isPart = hasRanges && first !== '' && (condition === undefined || condition === etag);
    const start = isPart ? Number(first) : 0;
    const end = isPart && last !== '' ? Math.min(Number(last) + 1, content.length) : content.length;
    response.writeHead(isPart ? 206 : 200, {
      ...own,
      'content-length': end - start,
      ...(isPart && { 'content-range': `bytes ${start}-${end - 1}/${content.length}` }),
    });
    send(response, content.subarray(start, end), breaksAfter);
  });
  return { ...site, received, ranges };
}

function send(response: ServerResponse, bytes: Buffer, breaksAfter: number | undefined): void {
  if (breaksAfter === undefined || bytes.length <= breaksAfter) response.end(bytes);
  else response.write(bytes.subarray(0, breaksAfter), () => response.destroy());
}
