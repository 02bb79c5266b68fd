/** The sites of a row of conformance/fetching.jsonl, as servers on loopback. */
import type { Socket } from 'node:net';
import { serveFtp } from './ftp.ts';
import { serve, serveRaw } from './server.ts';

/** A response, or the bytes that a server sends instead, and what it does then. */
type VectorResponse =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** The text, or texts each of which is repeated. */
      readonly body?: string | readonly (readonly [text: string, count: number])[];
    }
  | { readonly raw: string; readonly end: 'close' | 'reset' | 'wait' };

/** The responses of a site by path. Any other path is missing (404). */
type VectorSite = Readonly<Record<string, VectorResponse>>;

/** What a step changes. */
export interface VectorChanges {
  readonly site?: VectorSite;
  readonly other?: VectorSite;
  readonly ftp?: { readonly body?: string; readonly replies?: Readonly<Record<string, string>> };
}

/** A request that a site received. */
interface VectorRequest {
  /** Such as `{site}/robots.txt`. */
  readonly url: string;
  readonly isConditional: boolean;
}

/** The servers of a row. */
export interface VectorSites {
  /** The requests of `{site}` and `{other}`, in the order in which they came. */
  readonly requests: VectorRequest[];
  change(changes: VectorChanges): Promise<void>;
  /** Replaces `{site}` and the other placeholders by the origins of the servers. */
  expand(text: string): string;
  close(): Promise<void>;
}

/** Starts the servers of a row. */
export async function startSites(): Promise<VectorSites> {
  const requests: VectorRequest[] = [];
  const origins = new Map<string, string>();
  const open: { close(): Promise<void> }[] = [];
  const expand = (text: string): string => text.replace(/\{\w+\}/g, (name) => origins.get(name) ?? name);
  const current = new Map<string, VectorSite>();

  const startSite = async (name: string): Promise<void> => {
    const server = await serveRaw((socket, request) => {
      const head = parseHead(request);
      const { 'if-none-match': etag, 'if-modified-since': modified } = head.headers;
      requests.push({ url: name + head.path, isConditional: (etag ?? modified) !== undefined });
      sendResponse(socket, current.get(name)?.[head.path] ?? { status: 404 }, head.headers, expand);
    });
    open.push(server);
    origins.set(name, server.origin);
  };

  const closed = await serve(() => {});
  origins.set('{closed}', closed.origin);
  await Promise.all(['{site}', '{other}'].map(startSite));
  // Only now, so that no other server of the row gets its port.
  await closed.close();
  // The site itself, which does not use TLS.
  origins.set('{tls}', (origins.get('{site}') as string).replace('http:', 'https:'));

  const change = async ({ site, other, ftp }: VectorChanges): Promise<void> => {
    if (site !== undefined) current.set('{site}', site);
    if (other !== undefined) current.set('{other}', other);
    if (ftp === undefined) return;
    const { body = '', replies = {} } = ftp;
    const server = await serveFtp({
      replies,
      onData: (data, control) => data.end(body, () => control.write('226 done\r\n')),
    });
    open.push(server);
    origins.set('{ftp}', server.origin);
  };

  const close = async (): Promise<void> => {
    await Promise.all(open.map((server) => server.close()));
  };
  return { requests, change, expand, close };
}

type Headers = Readonly<Record<string, string>>;

function parseHead(request: string): { readonly path: string; readonly headers: Headers } {
  const [first = '', ...lines] = (request.split('\r\n\r\n')[0] as string).split('\r\n');
  const fields = lines.map((line) => /^([^:]+):\s*(.*)$/.exec(line) ?? []);
  const headers = Object.fromEntries(fields.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
  return { path: first.split(' ')[1] ?? '', headers };
}

/** Sends a response; 304 if the request has the validator of the response (RFC 9110 section 13.1). */
function sendResponse(
  socket: Socket,
  response: VectorResponse,
  requestHeaders: Headers,
  expand: (text: string) => string,
): void {
  if ('raw' in response) {
    if (response.end === 'close') socket.end(response.raw);
    else socket.write(response.raw, () => response.end === 'reset' && socket.resetAndDestroy());
    return;
  }
  const { status = 200, headers = {}, body = '' } = response;
  const isConfirmed =
    (headers['etag'] !== undefined && requestHeaders['if-none-match'] === headers['etag']) ||
    (headers['last-modified'] !== undefined &&
      requestHeaders['if-modified-since'] === headers['last-modified']);
  const text = typeof body === 'string' ? body : body.map(([each, count]) => each.repeat(count)).join('');
  const hasBody = !isConfirmed && status !== 204 && status !== 304;
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${expand(value)}`);
  if (hasBody) fields.push(`content-length: ${Buffer.byteLength(text)}`);
  socket.end(
    `HTTP/1.1 ${isConfirmed ? 304 : status} -\r\n${[...fields, 'connection: close'].join('\r\n')}\r\n\r\n${hasBody ? text : ''}`,
  );
}
