// What the result of a request says about its server: whether it failed, and the pause that it requests.
import { PrivateAddressError } from '../http/address-policy.ts';
import { isRemoteFailure } from '../http/local-failure.ts';
import { isOverloaded, parseRetryAfter } from '../http/retry-after.ts';

/** The response of a request: what all HTTP clients have of it. */
export interface PacedResponse {
  /** The status. */
  readonly status: number;
  /** The `Retry-After` header, as it was sent; `null` without one. */
  readonly retryAfter?: string | null;
}

/** What a result says about the server. */
export interface Outcome {
  /** A server error (5xx), 429, or no response. */
  readonly isFailure: boolean;
  /** The pause that a 429 or 503 requests, in milliseconds; `null` if none. */
  readonly retryAfter: number | null;
}

/** The server responded, and is not overloaded. */
export const FINE: Outcome = { isFailure: false, retryAfter: null };

/** Returns what a response says about its server. @param date - the time in milliseconds since 1970. */
export function toOutcome({ status, retryAfter = null }: PacedResponse, date: number): Outcome {
  if (status < 500 && !isOverloaded(status)) return FINE;
  const at = isOverloaded(status) ? parseRetryAfter(retryAfter, date) : null;
  return { isFailure: true, retryAfter: at === null ? null : Math.max(0, at - date) };
}

/** Names of the errors of aborted requests: of fetch, undici, got, node:http, and of axios. */
const ABORTED: ReadonlySet<unknown> = /* @__PURE__ */ new Set(['AbortError', 'CanceledError']);

/** Codes of errors of the program by undici. */
const PROGRAM_CODES: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_INVALID_RETURN_VALUE',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

/**
 * Returns what a failed request says about its server; `undefined` if nothing, because this machine or the program failed, or it was aborted or refused. An error with a
 * response, such as those of got and axios, counts as the response. `fetch` throws a TypeError with a cause if there is no response.
 */
export function toFailedOutcome(error: unknown, date: number): Outcome | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { response, cause } = error as { readonly response?: unknown; readonly cause?: unknown };
  const answered = findResponse(response);
  if (answered !== undefined) return toOutcome(answered, date);
  const failure = error instanceof TypeError && cause instanceof Error ? cause : error;
  if ([error, cause].some(isOwn)) return undefined;
  return isRemoteFailure(failure) ? { isFailure: true, retryAfter: null } : undefined;
}

/** Whether an error is one of the program, an abort, or a refusal, such as one of the target of a redirect. */
function isOwn(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return (
    ABORTED.has(name) ||
    PROGRAM_CODES.has(code) ||
    error instanceof PrivateAddressError ||
    // A ForbiddenUrlError or a PaceError.
    ('temporary' in error && 'retryAt' in error)
  );
}

/**
 * Finds status and Retry-After in the result of an HTTP client: the `Response` of fetch, those of undici, got, axios and node:http, and those
 * of Playwright and Puppeteer, whose `status` and `headers` are methods. Returns `undefined` for anything else.
 */
export function findResponse(result: unknown): PacedResponse | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  const { status, statusCode } = result as Readonly<Record<string, unknown>>;
  const found = typeof status === 'function' ? (status.call(result) as unknown) : (status ?? statusCode);
  if (typeof found !== 'number') return undefined;
  // Only these statuses have it, and reading headers takes longer than the rest.
  return { status: found, retryAfter: isOverloaded(found) ? findRetryAfter(result) : null };
}

function findRetryAfter(response: object): string | null {
  const { headers } = response as { readonly headers?: unknown };
  const found: unknown = typeof headers === 'function' ? headers.call(response) : headers;
  if (typeof found !== 'object' || found === null) return null;
  const { get } = found as { readonly get?: unknown };
  const value: unknown =
    typeof get === 'function'
      ? get.call(found, 'retry-after')
      : (found as Readonly<Record<string, unknown>>)['retry-after'];
  const [first] = [value].flat();
  return typeof first === 'string' ? first : null;
}
