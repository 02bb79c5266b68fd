// Fetches a robots.txt over HTTP and HTTPS (RFC 9309 section 2.3; Google's page, on errors and HTTP status codes).
import type { Readable } from 'node:stream';
import { quoteValue } from '@maycrawl/core/internal';
import { unlessAborted } from '../event-loop/abort.ts';
import type { ResponseHeaders } from '../http/connection-guard.ts';
import { ACCEPT_ENCODING, getCodings, readBody } from '../http/content-decoding.ts';
import { callCaller, createCallerFailure, isRemoteFailure } from '../http/local-failure.ts';
import { followRedirects, type RedirectProblem } from '../http/redirects.ts';
import { type SingleResponse, sendSingleRequest } from '../http/single-request.ts';
import { type FetchContext, type FetchSettings, MAX_REDIRECTS } from './fetch-options.ts';
import type { CacheHeaders, FetchCode, FetchResult, Untimed, Validators } from './fetch-result.ts';
import { classifyStatus } from './status-class.ts';

/** Maximum bytes of the body of a 5xx. */
const MAX_ERROR_BYTES = 65_536;
const NOT_FOUND = /\b(?:404|not[ -]found)\b/i;

/**
 * Fetches over HTTP or HTTPS.
 *
 * @throws the error of the connection, or the missed deadline.
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
    mayFollow: (next) => unlessAborted(callMayFollow(settings.mayFollow, next), context.signal),
  });
  try {
    if (problem === undefined) return await toResult(response, context, settings);
    const { hops } = context;
    const headers = toCacheHeaders(response.headers);
    return { kind: 'unavailable', ...describeProblem(problem, response.status), hops, headers };
  } finally {
    await response.close();
  }
}

/**
 * Calls the function of the caller that permits redirects. A redirect that is refused means that there is no file, which allows
 * everything, so only a boolean is a decision.
 *
 * @throws {LocalFailureError} `caller-failed` if the function fails, or returns something else. Failures of this machine are thrown as they are.
 */
async function callMayFollow(mayFollow: FetchSettings['mayFollow'], url: string): Promise<boolean> {
  try {
    const isAllowed: unknown = await mayFollow(url);
    if (typeof isAllowed === 'boolean') return isAllowed;
    throw createCallerFailure('mayFollow', new TypeError(`it returned ${quoteValue(isAllowed)}`));
  } catch (error) {
    throw isRemoteFailure(error) ? createCallerFailure('mayFollow', error) : error;
  }
}

/** Sends one request on a new connection. */
async function sendRequest(
  url: string,
  context: FetchContext,
  settings: FetchSettings,
): Promise<SingleResponse> {
  const validators = getValidators(url, settings);
  const signature = callCaller('the signer', () => settings.signer?.sign(url, 'GET'));
  const response = await sendSingleRequest(await context.connect(url), url, {
    method: 'GET',
    maxBytes: settings.maxBytes,
    signal: context.signal,
    headers: {
      'user-agent': settings.userAgent,
      accept: 'text/plain,*/*;q=0.5',
      'accept-encoding': ACCEPT_ENCODING,
      ...(validators?.etag ? { 'if-none-match': validators.etag } : {}),
      ...(validators?.lastModified ? { 'if-modified-since': validators.lastModified } : {}),
      ...signature,
    },
  });
  context.phases.enter('body');
  const { status, location } = response;
  context.hops.push({ url, status, ...(location === undefined ? {} : { location }) });
  return response;
}

/** The valid values of a header (RFC 9110 section 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Returns the validators if a response of the URL can confirm the stored response: only if that is from the same URL. */
function getValidators(url: string, { validators }: FetchSettings): Validators | undefined {
  const { etag, lastModified } = validators ?? {};
  // An invalid header value, from a damaged row, would make every request fail.
  const isSendable = [etag ?? '', lastModified ?? ''].every((value) => FIELD_VALUE.test(value));
  return (etag || lastModified) && isSendable && validators?.url === url ? validators : undefined;
}

/** Converts a response that is not a redirect. */
async function toResult(
  response: SingleResponse,
  { hops }: FetchContext,
  settings: FetchSettings,
): Promise<Untimed<FetchResult>> {
  const { url, status, headers, body } = response;
  const { profile, maxBytes, readsErrorBodies } = settings;
  const rest = { hops, headers: toCacheHeaders(headers) };
  const codings = getCodings(headers);
  const statusClass = classifyStatus(status, profile);
  if (statusClass === 'successful') {
    const bytes = await readBody(body, codings, maxBytes);
    const reset = response.getReset();
    if (bytes.length <= maxBytes && reset !== undefined) throw reset;
    return { kind: 'successful', bytes, ...rest };
  }
  if (status === 304 && getValidators(url, settings) !== undefined) return { kind: 'not-modified', ...rest };
  const saysNotFound = status >= 500 && readsErrorBodies && (await isNotFound(body, codings));
  const detail = status === 304 ? 'to a request without validators' : 'which is not a redirect';
  const message = status >= 300 && status < 400 ? `status ${status}, ${detail}` : `status ${status}`;
  const noFile = { code: 'http-status', message, ...rest } as const;
  if (statusClass !== 'unreachable') return { kind: 'unavailable', ...noFile };
  return { kind: 'unreachable', ...noFile, ...(saysNotFound && { saysNotFound }) };
}

/** Returns whether the body of a 5xx says that the page was not found; `false` if it cannot be read. */
async function isNotFound(body: Readable, codings: readonly string[]): Promise<boolean> {
  try {
    return NOT_FOUND.test(Buffer.from(await readBody(body, codings, MAX_ERROR_BYTES)).toString('latin1'));
  } catch {
    return false;
  }
}

/** Describes a redirect that is not followed. */
function describeProblem(
  problem: RedirectProblem,
  status: number,
): { readonly code: FetchCode; readonly message: string } {
  switch (problem.kind) {
    case 'missing-location':
      return { code: 'bad-redirect', message: `status ${status} without a Location` };
    case 'invalid-location':
      return {
        code: 'bad-redirect',
        message: `a redirect to "${problem.location}", not an http or https URL`,
      };
    case 'loop':
      return { code: 'too-many-redirects', message: `a redirect loop, back to ${problem.url}` };
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
