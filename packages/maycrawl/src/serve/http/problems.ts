/**
 * What the service says when it cannot answer: problem documents (RFC 9457) with stable codes.
 *
 * @module
 */
import { isLocalFailure } from '@maycrawl/client/http';

/** Stable names of what can be wrong. */
export type ProblemCode =
  | 'invalid-request'
  | 'invalid-json'
  | 'invalid-url'
  | 'unsupported-scheme'
  | 'url-too-long'
  | 'too-many-urls'
  | 'unknown-profile'
  | 'invalid-agent'
  | 'unauthorized'
  | 'misdirected'
  | 'cross-site'
  | 'invalid-target'
  | 'already-watched'
  | 'changed-meanwhile'
  | 'no-file'
  | 'not-found'
  | 'method-not-allowed'
  | 'body-too-large'
  | 'head-too-large'
  | 'unsupported-media-type'
  | 'too-much-work'
  | 'rate-limited'
  | 'client-limit'
  | 'fault'
  | 'local-failure'
  | 'overloaded'
  | 'shutting-down'
  | 'not-ready'
  | 'client-gone'
  | 'timeout';

/** For each code its HTTP status, and what it means. */
export const PROBLEMS: Readonly<Record<ProblemCode, readonly [status: number, title: string]>> = {
  'invalid-request': [400, 'The request is not what the route takes'],
  'invalid-json': [400, 'The body is not JSON'],
  'invalid-url': [400, 'Not an absolute URL'],
  'unsupported-scheme': [400, 'Not an http, https or ftp URL'],
  'url-too-long': [400, 'The URL is longer than it may be'],
  'too-many-urls': [400, 'More URLs than one request may ask for'],
  'unknown-profile': [400, 'There is no such profile'],
  'invalid-agent': [400, 'The name can never match a user-agent line'],
  'invalid-target': [400, 'Not a target that may be set here'],
  unauthorized: [401, 'A bearer token is needed'],
  'cross-site': [403, 'A page of another site asks'],
  'not-found': [404, 'There is nothing here'],
  'no-file': [404, 'There was no file'],
  'method-not-allowed': [405, 'The route does not take this method'],
  'already-watched': [409, 'The site is watched already'],
  'changed-meanwhile': [409, 'Somebody else has changed it'],
  'body-too-large': [413, 'The body is larger than it may be'],
  'unsupported-media-type': [415, 'The route does not take bodies of this type'],
  misdirected: [421, 'The service does not answer for this host'],
  'head-too-large': [431, 'The head of the request is larger than it may be'],
  'too-much-work': [422, 'The answer needs more work than it may'],
  'rate-limited': [429, 'Too many requests from this client'],
  'client-limit': [429, 'The client uses its share of the service'],
  'client-gone': [499, 'The client has not waited for the answer'],
  fault: [500, 'A fault in maycrawl'],
  'local-failure': [503, 'The machine of the service cannot reach sites now'],
  overloaded: [503, 'Too many requests are being answered'],
  'shutting-down': [503, 'The service is being stopped'],
  'not-ready': [503, 'The store does not answer'],
  timeout: [504, 'The answer took too long'],
};

/** The request cannot be answered. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  /** Further headers of the response. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail - what is wrong in this case, for people; never quotes secrets. */
  constructor(code: ProblemCode, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return PROBLEMS[this.code][0];
  }
}

/** A problem as it is sent, `application/problem+json`. */
export function problemDocument({ code, status, message }: Problem): object {
  return { type: `urn:maycrawl:problem:${code}`, title: PROBLEMS[code][1], status, detail: message, code };
}

/** Those that the framework throws, by its codes. */
const KNOWN: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid-json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid-json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid-request',
};

/** What was thrown, as a problem; a fault if nobody knows it. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isLocalFailure(error))
    return new Problem('local-failure', (error as Error).message, { 'retry-after': '5' });
  const {
    code = '',
    message = '',
    statusCode = 500,
  } = error as { code?: string; message?: string; statusCode?: number };
  const known = KNOWN[code];
  if (known !== undefined) return new Problem(known, message);
  if (error instanceof SyntaxError && statusCode === 400) return new Problem('invalid-json', message);
  if (statusCode >= 400 && statusCode < 500) return new Problem('invalid-request', message);
  return new Problem('fault', 'see the log of the service');
}
