/**
 * Fetching a robots.txt over HTTP and HTTPS (RFC 9309 section 2.3; Google's page, on errors and HTTP status codes).
 *
 * @module
 */
import type { Readable } from 'node:stream';
import { GOOGLE, MAX_FILE_BYTES, type Profile } from '@maycrawl/core';
import { Agent, type Dispatcher, request } from 'undici';
import { readBody } from './body.ts';
import type { Hop, Outcome } from './outcome.ts';

/** How to fetch. */
export interface FetchOptions {
  /** Decides what status 429 means; `google` if left out. */
  readonly profile?: Profile;
  /** The User-Agent header. */
  readonly userAgent?: string;
  /** Milliseconds for the whole fetch, redirects included; 30,000 if left out. */
  readonly timeout?: number;
  /** How many bytes of the body count. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** How many redirects are followed (RFC 9309 section 2.3.1.2: at least five; Google: five). */
export const MAX_REDIRECTS = 5;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches the robots.txt at `url` and says what came of it. Redirects are followed across hosts. What goes wrong on the
 * network or on the server is an outcome, not an error.
 *
 * @throws {RangeError} if `url` is no http or https URL.
 * @throws the signal's reason if the caller aborts.
 */
export async function fetchRobotsTxt(url: string, options: FetchOptions = {}): Promise<Outcome> {
  if (!isHttp(url)) throw new RangeError(`not an http or https URL: ${url}`);
  const { timeout = 30_000, signal } = options;
  const deadline = AbortSignal.timeout(timeout);
  const dispatcher = new Agent({ connectTimeout: timeout, pipelining: 0 });
  const hops: Hop[] = [];
  try {
    return await follow(url, hops, options, {
      dispatcher,
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const reason = deadline.aborted ? `no answer within ${timeout} ms` : describeFailure(error);
    return { kind: 'unreachable', reason, hops };
  } finally {
    await dispatcher.destroy();
  }
}

interface Wire {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

async function follow(first: string, hops: Hop[], options: FetchOptions, wire: Wire): Promise<Outcome> {
  const { profile = GOOGLE, maxBytes = MAX_FILE_BYTES, userAgent = 'maycrawl' } = options;
  const absent = (reason: string): Outcome => ({ kind: 'absent', reason, hops });
  let url = new URL(first).href;
  for (;;) {
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
      },
    });
    const location = REDIRECTS.has(status) ? firstOf(headers['location']) : undefined;
    hops.push(location === undefined ? { url, status } : { url, status, location });
    if (status >= 200 && status < 300) {
      return {
        kind: 'found',
        bytes: await readBody(body, firstOf(headers['content-encoding']), maxBytes),
        hops,
      };
    }
    discard(body);
    if (status === 429 && profile.tooManyRequests === 'unreachable') {
      return { kind: 'unreachable', reason: 'status 429', hops };
    }
    if (status >= 400 && status < 500) return absent(`status ${status}`);
    if (status < 300 || status >= 500) return { kind: 'unreachable', reason: `status ${status}`, hops };
    if (location === undefined) return absent(`status ${status} without a place to go to`);
    const next = resolveLocation(location, url);
    if (next === undefined) return absent(`a redirect to "${location}", which is no http or https URL`);
    if (hops.some((hop) => hop.url === next)) return absent(`a redirect in a circle, back to ${next}`);
    if (hops.length > MAX_REDIRECTS) return absent(`more than ${MAX_REDIRECTS} redirects`);
    url = next;
  }
}

/** The body of a response that is not read. Its connection is dropped; errors on the way down concern nobody. */
function discard(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}

function resolveLocation(location: string, base: string): string | undefined {
  if (!URL.canParse(location, base)) return undefined;
  const next = new URL(location, base);
  next.hash = '';
  return isHttp(next.href) ? next.href : undefined;
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : '';
  // A failed connection to a name with several addresses is one error around several.
  const inner = error instanceof AggregateError ? (error.errors[0] as Error | undefined) : undefined;
  return `${code}${(inner ?? error).message}`;
}
