/**
 * Fetching a robots.txt over HTTP and HTTPS (RFC 9309 section 2.3; Google's page, on errors and HTTP status codes).
 *
 * @module
 */
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { readBody } from './body.ts';
import type { Manner, Wire } from './fetch.ts';
import type { AnswerHeaders, FetchCode, Hop, Outcome, Unchanged, Untimed } from './outcome.ts';

/** How many redirects are followed (RFC 9309 section 2.3.1.2: at least five; Google: five). */
export const MAX_REDIRECTS = 5;

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
  // A connection for each request, and no time limits but the fetch's own.
  const dispatcher = new Agent({
    connect: wire.connector.connect,
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    for (let next = new URL(url).href; ; ) {
      const response = await ask(next, dispatcher, wire, manner);
      const outcome = await outcomeOf(response, wire, manner);
      if (outcome !== undefined) return outcome;
      const followed = await follow(response, wire.hops, manner);
      if (typeof followed !== 'string') return followed;
      next = followed;
    }
  } finally {
    await dispatcher.destroy();
  }
}

interface Response {
  readonly url: string;
  readonly status: number;
  readonly location: string | undefined;
  readonly headers: Readonly<Record<string, Header>>;
  readonly body: Readable;
}

async function ask(url: string, dispatcher: Dispatcher, wire: Wire, manner: Manner): Promise<Response> {
  const { userAgent, validators } = manner;
  const { statusCode, headers, body } = await request(url, {
    dispatcher,
    signal: wire.signal,
    headers: {
      'user-agent': userAgent,
      accept: 'text/plain,*/*;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
      ...(validators.etag === null ? {} : { 'if-none-match': validators.etag }),
      ...(validators.lastModified === null ? {} : { 'if-modified-since': validators.lastModified }),
    },
  });
  wire.phases.enter('body');
  const location = REDIRECTS.has(statusCode) ? locationOf(headers['location']) : undefined;
  wire.hops.push({ url, status: statusCode, ...(location === undefined ? {} : { location }) });
  return { url, status: statusCode, location, headers, body };
}

/** What a response means; `undefined` for a redirect. */
async function outcomeOf(
  { status, headers, body }: Response,
  { hops, connector }: Wire,
  { profile, maxBytes, validators, believesNotFound }: Manner,
): Promise<Untimed<Outcome | Unchanged> | undefined> {
  const told = { hops, headers: answerHeadersOf(headers) };
  const encodings = valuesOf(headers['content-encoding']);
  if (status >= 200 && status < 300) {
    const bytes = await readBody(body, encodings, maxBytes);
    // The HTTP client takes a reset for the end of a body whose length nobody has told.
    const isLengthTold = 'content-length' in headers || 'transfer-encoding' in headers;
    if (!isLengthTold && bytes.length <= maxBytes && connector.reset !== undefined) throw connector.reset;
    return { kind: 'found', bytes, ...told };
  }
  if (status >= 500 && believesNotFound) {
    const text = Buffer.from(await readBody(body, encodings, MAX_ERROR_BYTES)).toString('latin1');
    if (NOT_FOUND.test(text)) {
      const reason = `status ${status}, whose body says that the page was not found`;
      return { kind: 'absent', code: 'http-status', reason, ...told };
    }
  }
  discard(body);
  if (REDIRECTS.has(status)) return undefined;
  const isAsked = validators.etag !== null || validators.lastModified !== null;
  if (status === 304 && isAsked) return { kind: 'unchanged', ...told };
  const isOutage =
    status < 200 || status >= 500 || (status === 429 && profile.tooManyRequests === 'unreachable');
  const kind = isOutage ? 'unreachable' : 'absent';
  const reason =
    status >= 300 && status < 400 ? `status ${status}, which is not followed` : `status ${status}`;
  return { kind, code: 'http-status', reason, ...told };
}

/** Where a redirect leads to, or what it means that it is not followed. */
async function follow(
  { url, status, location, headers }: Response,
  hops: readonly Hop[],
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
  if (!(await mayFollow(next)))
    return absent('disallowed-redirect', `a redirect to ${next}, which is disallowed`);
  return next;
}

/** The body of a response that is not read. Its connection is dropped; errors on the way down concern nobody. */
function discard(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
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

/** The values of a comma-separated header, in lower case. */
function valuesOf(header: Header): string[] {
  return [header ?? []].flat().flatMap((line) => line.split(',').map((value) => value.trim().toLowerCase()));
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
