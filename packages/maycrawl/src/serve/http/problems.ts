// Problem documents (RFC 9457) with stable codes: the error responses of the service.
import { DatabaseError, isLocalFailure } from '@maycrawl/client/internal';
import { freezeDeep } from '@maycrawl/core/internal';

/** The HTTP status and the title of each problem, by its stable code. */
export const PROBLEMS = {
  'invalid-request': [400, 'Invalid request'],
  'invalid-json': [400, 'The body is not valid JSON'],
  'invalid-url': [400, 'Not an absolute URL'],
  'unsupported-scheme': [400, 'Not an http, https or ftp URL'],
  'url-too-long': [400, 'The URL is too long'],
  'too-many-urls': [400, 'Too many URLs in one request'],
  'unknown-profile': [400, 'Unknown profile'],
  'invalid-agent': [400, 'The name can never match a user-agent line'],
  'invalid-target': [400, 'The notification target is not allowed here'],
  'private-address': [400, 'Private addresses are refused'],
  unauthorized: [401, 'A valid bearer token is required'],
  'cross-site': [403, 'Cross-site request'],
  'not-found': [404, 'Not found'],
  'no-file': [404, 'The version has no file'],
  'method-not-allowed': [405, 'Method not allowed'],
  'already-watched': [409, 'The site is already monitored'],
  'changed-meanwhile': [409, 'The settings were changed by another request'],
  'body-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'Unsupported media type'],
  misdirected: [421, 'The service does not serve this host'],
  'head-too-large': [431, 'The head of the request is too large'],
  'too-much-work': [422, 'The request needs too much work'],
  'rate-limited': [429, 'Too many requests from this client'],
  'client-limit': [429, 'The client has reached its share of the service'],
  'client-gone': [499, 'The client closed the connection'],
  fault: [500, 'Internal error'],
  'local-failure': [503, 'The service cannot reach the network'],
  'database-unavailable': [503, 'The database cannot be used'],
  overloaded: [503, 'The service is overloaded'],
  'shutting-down': [503, 'The service is shutting down'],
  'not-ready': [503, 'The service is not ready'],
  timeout: [504, 'The response took too long'],
} as const;
freezeDeep(PROBLEMS);

/** Stable codes of problems. */
export type ProblemCode = keyof typeof PROBLEMS;

/** An expected failure of a request, with its response. It has no stack trace: that would cost more than the refusal itself. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  /** Additional headers of the response. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail - describes this occurrence to a person. It never quotes secrets. */
  constructor(code: ProblemCode, detail: string, headers: Readonly<Record<string, string>> = {}) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return PROBLEMS[this.code][0];
  }
}

/** Headers of every response. */
export const COMMON_HEADERS = { 'x-content-type-options': 'nosniff' } as const;

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Formats the problem document, in JSON. */
export function formatProblem({ code, status, message }: Problem): string {
  const type = `urn:maycrawl:problem:${code}`;
  return JSON.stringify({ type, title: PROBLEMS[code][1], status, detail: message, code });
}

/** Codes of errors of the framework. */
const FRAMEWORK_CODES: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid-json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid-json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid-request',
};

/** Converts what was thrown to a problem: `fault` if it was not expected. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isLocalFailure(error))
    return new Problem('local-failure', (error as Error).message, { 'retry-after': '5' });
  // The message of the driver names hosts and files of the operator: only the log has it.
  if (error instanceof DatabaseError)
    return new Problem('database-unavailable', `the database does not work now (${error.code})`, {
      'retry-after': '5',
    });
  const {
    code = '',
    message = '',
    statusCode = 500,
  } = error as { code?: string; message?: string; statusCode?: number };
  const known = FRAMEWORK_CODES[code];
  if (known !== undefined) return new Problem(known, message);
  if (error instanceof SyntaxError && statusCode === 400) return new Problem('invalid-json', message);
  if (statusCode >= 400 && statusCode < 500) return new Problem('invalid-request', message);
  return new Problem('fault', 'the log of the service has the error');
}
