/**
 * Fetching a robots.txt over HTTP and HTTPS (RFC 9309 section 2.3; Google's page, on errors and HTTP status codes).
 *
 * @module
 */
import type { Readable } from 'node:stream';
import type { ResponseHeaders } from '../http/connection-guard.ts';
import { ACCEPT_ENCODING, parseContentEncoding, readBody } from '../http/content-decoding.ts';
import { followRedirects, type RedirectProblem } from '../http/redirects.ts';
import { type SingleResponse, sendSingleRequest } from '../http/single-request.ts';
import { unlessAborted } from './abort.ts';
import { type FetchContext, type FetchSettings, MAX_REDIRECTS } from './fetch-options.ts';
import type { CacheHeaders, FetchCode, FetchResult, Untimed, Validators } from './fetch-result.ts';

/** Of the body of an error so much is read, where it is read. */
const MAX_ERROR_BYTES = 65_536;
const NOT_FOUND = /\b(?:404|not[ -]found)\b/i;

/**
 * Fetches over HTTP or HTTPS.
 *
 * @throws what broke the connection, or the deadline that was missed.
 */
export async function fetchHttp(
  url: string,
  context: FetchContext,
  settings: FetchSettings,
): Promise<Untimed<FetchResult>> {
  const { response, problem } = await followRedirects(new URL(url).href, {
    maxRedirects: MAX_REDIRECTS,
    request: (next) => sendRequest(next, context, settings),
    release: (each) => each.close(),
    mayFollow: (next) => unlessAborted(Promise.resolve(settings.mayFollow(next)), context.signal),
  });
  try {
    if (problem === undefined) return await toResult(response, context, settings);
    const { hops } = context;
    const { status, headers } = response;
    return {
      ...{ kind: 'unavailable', ...describeProblem(problem, status) },
      ...{ hops, headers: toCacheHeaders(headers) },
    };
  } finally {
    await response.close();
  }
}

/** Sends one request, over a connection of its own. */
async function sendRequest(
  url: string,
  context: FetchContext,
  settings: FetchSettings,
): Promise<SingleResponse> {
  const validators = getValidators(url, settings);
  const response = await sendSingleRequest(await context.connector.connect(url), url, {
    method: 'GET',
    maxBytes: settings.maxBytes,
    signal: context.signal,
    headers: {
      'user-agent': settings.userAgent,
      accept: 'text/plain,*/*;q=0.5',
      'accept-encoding': ACCEPT_ENCODING,
      ...(validators?.etag ? { 'if-none-match': validators.etag } : {}),
      ...(validators?.lastModified ? { 'if-modified-since': validators.lastModified } : {}),
    },
  });
  context.phases.enter('body');
  const { status, location } = response;
  context.hops.push({ url, status, ...(location === undefined ? {} : { location }) });
  return response;
}

/** What a header may hold (RFC 9110 section 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Returns what a response of the URL can confirm: only a copy that came from there. */
function getValidators(url: string, { validators }: FetchSettings): Validators | undefined {
  const { etag, lastModified } = validators ?? {};
  // A value that is no valid header, from a damaged copy, would make every request fail.
  const isSendable = [etag ?? '', lastModified ?? ''].every((value) => FIELD_VALUE.test(value));
  return (etag || lastModified) && isSendable && validators?.url === url ? validators : undefined;
}

/** What a response that is no redirect means. */
async function toResult(
  response: SingleResponse,
  { hops }: FetchContext,
  settings: FetchSettings,
): Promise<Untimed<FetchResult>> {
  const { url, status, headers, body } = response;
  const { profile, maxBytes, errorBodies } = settings;
  const rest = { hops, headers: toCacheHeaders(headers) };
  const encodings = parseContentEncoding(headers['content-encoding']);
  if (status >= 200 && status < 300) {
    const bytes = await readBody(body, encodings, maxBytes);
    const reset = response.getReset();
    if (bytes.length <= maxBytes && reset !== undefined) throw reset;
    return { kind: 'successful', bytes, ...rest };
  }
  if (status === 304 && getValidators(url, settings) !== undefined) return { kind: 'not-modified', ...rest };
  const saysNotFound = status >= 500 && errorBodies !== 'ignore' && (await isNotFound(body, encodings));
  if (saysNotFound && errorBodies === 'believe') {
    const message = `status ${status}, whose body says that the page was not found`;
    return { kind: 'unavailable', code: 'http-status', message, ...rest };
  }
  // A response that confirms a copy, to a request that named none, is an invalid one: it must not replace rules by their absence.
  const isOutage =
    status < 200 ||
    status === 304 ||
    status >= 500 ||
    (status === 429 && profile.status429 === 'unreachable');
  const particulars = status === 304 ? 'though no copy was named' : 'which is not followed';
  const message = status >= 300 && status < 400 ? `status ${status}, ${particulars}` : `status ${status}`;
  const noFile = { code: 'http-status', message, ...rest } as const;
  if (!isOutage) return { kind: 'unavailable', ...noFile };
  return { kind: 'unreachable', ...noFile, ...(saysNotFound && { saysNotFound }) };
}

/** Whether the body of an error says that the page was not found. One that cannot be read says nothing. */
async function isNotFound(body: Readable, encodings: readonly string[]): Promise<boolean> {
  try {
    return NOT_FOUND.test(Buffer.from(await readBody(body, encodings, MAX_ERROR_BYTES)).toString('latin1'));
  } catch {
    return false;
  }
}

/** Why a redirect that is not followed means that there is no file. */
function describeProblem(
  problem: RedirectProblem,
  status: number,
): { readonly code: FetchCode; readonly message: string } {
  switch (problem.kind) {
    case 'missing-location':
      return { code: 'bad-redirect', message: `status ${status} without a place to go to` };
    case 'invalid-location':
      return {
        code: 'bad-redirect',
        message: `a redirect to "${problem.location}", which is no http or https URL`,
      };
    case 'loop':
      return { code: 'too-many-redirects', message: `a redirect in a circle, back to ${problem.url}` };
    case 'too-many':
      return { code: 'too-many-redirects', message: `more than ${MAX_REDIRECTS} redirects` };
    case 'refused':
      return { code: 'disallowed-redirect', message: `a redirect to ${problem.url}, which is disallowed` };
  }
}

function toCacheHeaders(headers: ResponseHeaders): CacheHeaders {
  const getHeader = (name: string): string | null => [headers[name] ?? []].flat().join(', ') || null;
  return {
    cacheControl: getHeader('cache-control'),
    expires: getHeader('expires'),
    date: getHeader('date'),
    age: getHeader('age'),
    etag: getHeader('etag'),
    lastModified: getHeader('last-modified'),
    retryAfter: getHeader('retry-after'),
  };
}
