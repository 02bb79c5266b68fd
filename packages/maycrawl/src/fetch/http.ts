/**
 * Fetching a robots.txt over HTTP and HTTPS (RFC 9309 section 2.3; Google's page, on errors and HTTP status codes).
 *
 * @module
 */
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { GOOGLE, MAX_FILE_BYTES, type Profile } from '@maycrawl/core';
import { Agent, type Dispatcher, request } from 'undici';
import { readBody } from './body.ts';
import { type Lookup, publicOnly, requirePublicHost } from './guard.ts';
import type { AnswerHeaders, FetchCode, Hop, Outcome, Unchanged, Validators } from './outcome.ts';

/** How to fetch. */
export interface FetchOptions {
  /** Decides what status 429 means; `GOOGLE` if left out. */
  readonly profile?: Profile;
  /** The User-Agent header: visible ASCII and spaces. `maycrawl` if left out. */
  readonly userAgent?: string;
  /** Milliseconds for the whole fetch, redirects included, up to an hour; 30,000 if left out. */
  readonly timeout?: number;
  /** How many bytes of the body count; 512,000 if left out. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /**
   * Connect to addresses of the public Internet alone, at every hop: for servers that fetch what strangers name. Anything
   * else is `unreachable`, with the code `private-address`.
   */
  readonly publicOnly?: boolean;
  /** Take a 5xx whose body says that the page was not found for an absent file: some sites answer so for missing pages. */
  readonly believesNotFound?: boolean;
  /** Finds the addresses of names; `dns.lookup` if left out. */
  readonly lookup?: Lookup;
}

/** How many redirects are followed (RFC 9309 section 2.3.1.2: at least five; Google: five). */
export const MAX_REDIRECTS = 5;
const MAX_TIMEOUT = 3_600_000;

/** Of the body of an error so much is read, where it is read. */
const MAX_ERROR_BYTES = 65_536;
const NOT_FOUND = /\b(?:404|not[ -]found)\b/i;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Failures of this machine, which say nothing about the site. */
const LOCAL_FAILURES = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);

/**
 * Fetches the robots.txt at `url` and says what came of it. Redirects are followed across hosts. What goes wrong on the
 * network or on the server is an outcome, not an error.
 *
 * @throws {RangeError} {TypeError} if `url` is no http or https URL, or an option is not what it must be.
 * @throws what went wrong, if it went wrong on this machine (no more sockets, say).
 * @throws the signal's reason if the caller aborts.
 */
export async function fetchRobotsTxt(url: string, options: FetchOptions = {}): Promise<Outcome> {
  // Nobody was asked whether it has changed, so nobody says so.
  return (await refetchRobotsTxt(url, { etag: null, lastModified: null }, options)) as Outcome;
}

/**
 * Fetches the robots.txt at `url` again, of which there is a copy: as {@link fetchRobotsTxt}, but if the server confirms the
 * copy, the outcome is `unchanged`.
 *
 * @param validators - what the copy came with.
 * @throws as {@link fetchRobotsTxt} does.
 */
export async function refetchRobotsTxt(
  url: string,
  validators: Validators,
  options: FetchOptions = {},
): Promise<Outcome | Unchanged> {
  if (!isHttp(url)) throw new RangeError(`not an http or https URL: ${url}`);
  const {
    profile = GOOGLE,
    userAgent = 'maycrawl',
    timeout = 30_000,
    maxBytes = MAX_FILE_BYTES,
    signal,
    publicOnly: isPublicOnly = false,
    believesNotFound = false,
    lookup,
  } = options;
  if (typeof profile?.tooManyRequests !== 'string') throw new TypeError(`not a profile: ${String(profile)}`);
  if (!/^[ -~]+$/.test(userAgent))
    throw new RangeError(`not a User-Agent header: ${JSON.stringify(userAgent)}`);
  if (!(timeout > 0 && timeout <= MAX_TIMEOUT))
    throw new RangeError(`not a timeout in milliseconds: ${timeout}`);
  if (!(Number.isInteger(maxBytes) && maxBytes >= 0))
    throw new RangeError(`not a number of bytes: ${maxBytes}`);
  signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(timeout);
  const guarded = isPublicOnly ? publicOnly(lookup) : lookup;
  const connect = guarded === undefined ? {} : { lookup: guarded as LookupFunction };
  const dispatcher = new Agent({ connect: { timeout, ...connect }, pipelining: 0 });
  const wire = { dispatcher, signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]) };
  const hops: Hop[] = [];
  try {
    return await follow(
      url,
      hops,
      { profile, userAgent, maxBytes, validators, believesNotFound, publicOnly: isPublicOnly },
      wire,
    );
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (LOCAL_FAILURES.has(codeOf(cause))) throw cause;
    const [code, reason]: [FetchCode, string] = deadline.aborted
      ? ['timeout', `no answer within ${timeout} ms`]
      : [codeOf(cause) === 'private-address' ? 'private-address' : 'network', describeFailure(cause)];
    return { kind: 'unreachable', code, reason, cause, hops, headers: null };
  } finally {
    await dispatcher.destroy();
  }
}

interface Wire {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

type Manner = Required<
  Pick<FetchOptions, 'profile' | 'userAgent' | 'maxBytes' | 'publicOnly' | 'believesNotFound'>
> & {
  readonly validators: Validators;
};

async function follow(first: string, hops: Hop[], manner: Manner, wire: Wire): Promise<Outcome | Unchanged> {
  const { profile, maxBytes, userAgent, validators } = manner;
  let url = new URL(first).href;
  for (;;) {
    if (manner.publicOnly) requirePublicHost(url);
    const {
      statusCode: status,
      headers,
      body,
    } = await request(url, {
      ...wire,
      headers: {
        'user-agent': userAgent,
        accept: 'text/plain,*/*;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
        ...(validators.etag === null ? {} : { 'if-none-match': validators.etag }),
        ...(validators.lastModified === null ? {} : { 'if-modified-since': validators.lastModified }),
      },
    });
    const told = { hops, headers: answerHeadersOf(headers) };
    const absent = (code: FetchCode, reason: string): Outcome => ({ kind: 'absent', code, reason, ...told });
    const location = REDIRECTS.has(status) ? locationOf(headers['location']) : undefined;
    hops.push(location === undefined ? { url, status } : { url, status, location });
    if (status >= 200 && status < 300) {
      return {
        kind: 'found',
        bytes: await readBody(body, valuesOf(headers['content-encoding']), maxBytes),
        ...told,
      };
    }
    if (status >= 500 && manner.believesNotFound) {
      const encodings = valuesOf(headers['content-encoding']);
      const text = Buffer.from(await readBody(body, encodings, MAX_ERROR_BYTES)).toString('latin1');
      if (NOT_FOUND.test(text)) {
        return absent('http-status', `status ${status}, whose body says that the page was not found`);
      }
    }
    discard(body);
    const isAsked = validators.etag !== null || validators.lastModified !== null;
    if (status === 304 && isAsked) return { kind: 'unchanged', ...told };
    const isOutage =
      status < 200 || status >= 500 || (status === 429 && profile.tooManyRequests === 'unreachable');
    if (isOutage) return { kind: 'unreachable', code: 'http-status', reason: `status ${status}`, ...told };
    if (status >= 400) return absent('http-status', `status ${status}`);
    if (!REDIRECTS.has(status)) return absent('http-status', `status ${status}, which is not followed`);
    if (location === undefined) return absent('bad-redirect', `status ${status} without a place to go to`);
    const next = resolveLocation(location, url);
    if (next === undefined)
      return absent('bad-redirect', `a redirect to "${location}", which is no http or https URL`);
    if (hops.some((hop) => hop.url === next)) {
      return absent('too-many-redirects', `a redirect in a circle, back to ${next}`);
    }
    if (hops.length > MAX_REDIRECTS)
      return absent('too-many-redirects', `more than ${MAX_REDIRECTS} redirects`);
    url = next;
  }
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

function isHttp(url: string): boolean {
  return ['http:', 'https:'].includes(parseUrl(url)?.protocol ?? '');
}

/** Not URL.canParse: once optimised, Node 20's answers wrongly where a character is not ASCII. */
function parseUrl(url: string, base?: string): URL | undefined {
  try {
    return new URL(url, base);
  } catch {
    return undefined;
  }
}

function resolveLocation(location: string, base: string): string | undefined {
  const next = parseUrl(location, base);
  if (next === undefined) return undefined;
  next.hash = '';
  return isHttp(next.href) ? next.href : undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  // A failed connection to a name with several addresses is one error around several.
  const inner = error instanceof AggregateError ? (error.errors[0] as Error | undefined) : undefined;
  return `${code === '' ? '' : `${code}: `}${(inner ?? error).message}`;
}
