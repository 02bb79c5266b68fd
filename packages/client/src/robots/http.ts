/**
 * Fetching a robots.txt over HTTP and HTTPS (RFC 9309 section 2.3; Google's page, on errors and HTTP status codes).
 *
 * @module
 */
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { Client } from 'undici';
import { createSingleConnector } from '../http/connector.ts';
import { parseContentEncoding, readBody } from '../http/content-decoding.ts';
import { unlessAborted } from './abort.ts';
import type { Manner, Wire } from './fetch-options.ts';
import type { AnswerHeaders, FetchCode, Outcome, Unchanged, Untimed, Validators } from './outcome.ts';

/** How many redirects are followed (RFC 9309 section 2.3.1.2: at least five; Google: five). */
export const MAX_REDIRECTS = 5;

/** What a connection may carry beside a body: headers, informational responses. Bytes. */
const MAX_OVERHEAD = 1_048_576;
/** Each byte of a body may take this number of bytes of the connection: a chunk of one byte takes six. */
const MAX_BYTES_PER_BYTE = 8;

/** Of the body of an error so much is read, where it is read. */
const MAX_ERROR_BYTES = 65_536;
const NOT_FOUND = /\b(?:404|not[ -]found)\b/i;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches over HTTP or HTTPS.
 *
 * @throws what broke the connection, or the deadline that was missed.
 */
export async function fetchHttp(
  url: string,
  wire: Wire,
  manner: Manner,
): Promise<Untimed<Outcome | Unchanged>> {
  for (let next = new URL(url).href; ; ) {
    const socket = await wire.connector.connect(next);
    limitBytes(socket, manner.maxBytes * MAX_BYTES_PER_BYTE + MAX_OVERHEAD);
    // A connection for each request, and no time limits but the fetch's own.
    const client = new Client(new URL(next).origin, {
      connect: createSingleConnector(socket),
      pipelining: 0,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    let response: Response | undefined;
    try {
      response = await ask(next, client, wire, manner);
      const outcome = await outcomeOf(response, wire, manner);
      if (outcome !== undefined) return outcome;
      const followed = await follow(response, wire, manner);
      if (typeof followed !== 'string') return followed;
      next = followed;
    } finally {
      // Whatever of the body nobody has read. As long as it is there, it listens to the caller's signal, which may live long.
      response?.body.on('error', () => {}).destroy();
      await client.destroy();
      socket.destroy();
    }
  }
}

/**
 * Drops a connection that carries far more than its file can take. The body is limited where it is read; what never becomes a byte of
 * it is not: informational responses, extensions of chunks, compressed blocks of nothing.
 */
function limitBytes(socket: Socket, max: number): void {
  socket.on('readable', () => {
    if (socket.bytesRead > max)
      socket.destroy(new Error(`a response of more than ${max} bytes without a body of that size`));
  });
}

interface Response {
  readonly url: string;
  readonly status: number;
  readonly location: string | undefined;
  readonly headers: Readonly<Record<string, Header>>;
  readonly body: Readable;
}

async function ask(url: string, client: Client, wire: Wire, manner: Manner): Promise<Response> {
  const { userAgent } = manner;
  const validators = validatorsFor(url, manner);
  const { pathname, search } = new URL(url);
  const { statusCode, headers, body } = await client.request({
    method: 'GET',
    path: `${pathname}${search}`,
    signal: wire.signal,
    headers: {
      'user-agent': userAgent,
      accept: 'text/plain,*/*;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
      ...(validators?.etag ? { 'if-none-match': validators.etag } : {}),
      ...(validators?.lastModified ? { 'if-modified-since': validators.lastModified } : {}),
    },
  });
  wire.phases.enter('body');
  const location = REDIRECTS.has(statusCode) ? locationOf(headers['location']) : undefined;
  wire.hops.push({ url, status: statusCode, ...(location === undefined ? {} : { location }) });
  return { url, status: statusCode, location, headers, body };
}

/** What a header may hold (RFC 9110 section 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** By what the answer of a URL can be confirmed: only if the copy came from there. */
function validatorsFor(url: string, { validators }: Manner): Validators | undefined {
  const { etag, lastModified } = validators ?? {};
  // One that is no header, as a damaged copy may have it, would make every request fail.
  const isSendable = [etag ?? '', lastModified ?? ''].every((value) => FIELD_VALUE.test(value));
  return (etag || lastModified) && isSendable && validators?.url === url ? validators : undefined;
}

/** What a response means; `undefined` for a redirect. */
async function outcomeOf(
  { url, status, headers, body }: Response,
  { hops, connector }: Wire,
  manner: Manner,
): Promise<Untimed<Outcome | Unchanged> | undefined> {
  const { profile, maxBytes, errorBodies } = manner;
  const told = { hops, headers: answerHeadersOf(headers) };
  const encodings = parseContentEncoding(headers['content-encoding']);
  if (status >= 200 && status < 300) {
    const bytes = await readBody(body, encodings, maxBytes);
    // The HTTP client takes a reset for the end of a body whose length nobody has told.
    const isLengthTold = 'content-length' in headers || 'transfer-encoding' in headers;
    if (!isLengthTold && bytes.length <= maxBytes && connector.reset !== undefined) throw connector.reset;
    return { kind: 'found', bytes, ...told };
  }
  if (REDIRECTS.has(status)) return undefined;
  if (status === 304 && validatorsFor(url, manner) !== undefined) return { kind: 'unchanged', ...told };
  const saysNotFound = status >= 500 && errorBodies !== 'ignore' && (await isNotFound(body, encodings));
  if (saysNotFound && errorBodies === 'believe') {
    const reason = `status ${status}, whose body says that the page was not found`;
    return { kind: 'absent', code: 'http-status', reason, ...told };
  }
  // A response that confirms a copy, to a request that named none, is an invalid one: it must not replace rules by their absence.
  const isOutage =
    status < 200 ||
    status === 304 ||
    status >= 500 ||
    (status === 429 && profile.status429 === 'unreachable');
  const kind = isOutage ? 'unreachable' : 'absent';
  const particulars = status === 304 ? 'though no copy was named' : 'which is not followed';
  const reason = status >= 300 && status < 400 ? `status ${status}, ${particulars}` : `status ${status}`;
  return { kind, code: 'http-status', reason, ...told, ...(saysNotFound && { saysNotFound }) };
}

/** Whether the body of an error says that the page was not found. One that cannot be read says nothing. */
async function isNotFound(body: Readable, encodings: readonly string[]): Promise<boolean> {
  try {
    return NOT_FOUND.test(Buffer.from(await readBody(body, encodings, MAX_ERROR_BYTES)).toString('latin1'));
  } catch {
    return false;
  }
}

/** Where a redirect leads to, or what it means that it is not followed. */
async function follow(
  { url, status, location, headers }: Response,
  { hops, signal }: Wire,
  { mayFollow }: Manner,
): Promise<string | Untimed<Outcome>> {
  const absent = (code: FetchCode, reason: string): Untimed<Outcome> => ({
    ...{ kind: 'absent', code, reason, hops, headers: answerHeadersOf(headers) },
  });
  if (location === undefined) return absent('bad-redirect', `status ${status} without a place to go to`);
  const next = resolveLocation(location, url);
  if (next === undefined)
    return absent('bad-redirect', `a redirect to "${location}", which is no http or https URL`);
  if (hops.some((hop) => hop.url === next))
    return absent('too-many-redirects', `a redirect in a circle, back to ${next}`);
  if (hops.length > MAX_REDIRECTS)
    return absent('too-many-redirects', `more than ${MAX_REDIRECTS} redirects`);
  if (!(await unlessAborted(Promise.resolve(mayFollow(next)), signal)))
    return absent('disallowed-redirect', `a redirect to ${next}, which is disallowed`);
  return next;
}

type Header = string | string[] | undefined;

function answerHeadersOf(headers: Readonly<Record<string, Header>>): AnswerHeaders {
  const sent = (name: string): string | null => [headers[name] ?? []].flat().join(', ') || null;
  return {
    cacheControl: sent('cache-control'),
    expires: sent('expires'),
    date: sent('date'),
    age: sent('age'),
    etag: sent('etag'),
    lastModified: sent('last-modified'),
    retryAfter: sent('retry-after'),
  };
}

/** The Location header. Servers send raw UTF-8 in it, each byte of which arrives as one character. */
function locationOf(header: Header): string | undefined {
  const raw = [header].flat()[0];
  if (raw === undefined) return undefined;
  const bytes = Buffer.from(raw, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : raw;
}

function resolveLocation(location: string, base: string): string | undefined {
  let next: URL;
  try {
    next = new URL(location, base);
  } catch {
    return undefined;
  }
  next.hash = '';
  return next.protocol === 'http:' || next.protocol === 'https:' ? next.href : undefined;
}
