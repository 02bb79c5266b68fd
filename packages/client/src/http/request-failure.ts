// Requests without a complete response: what is reported of them.
import { CodedError } from '../coded-error.ts';

/**
 * Codes of requests that the client refuses to send: the guard refused the address, or the Fetch Standard blocks the port. They say nothing
 * about the site, and the next attempt fails, too.
 */
export type OwnRefusalCode = 'private-address' | 'blocked-port';

/** Returns whether the client refused to send a request, by the code of its failure. */
export function isOwnRefusal(code: unknown): code is OwnRefusalCode {
  return code === 'private-address' || code === 'blocked-port';
}

/** Why there is no complete response: a deadline passed, the guard refused the address or port, or the connection failed. */
export type RequestFailureCode = 'timeout' | 'network' | OwnRefusalCode;

/** A request has no complete response. A failure of this machine is another error (local-failure.ts). */
export class RequestError extends CodedError<RequestFailureCode> {
  override readonly name = 'RequestError';
}

/**
 * Describes why a connection or a response failed.
 *
 * @param error - what was thrown.
 * @returns the code, and the particulars for people, which may quote what the server sent.
 */
export function describeRequestFailure(error: unknown): {
  readonly code: Exclude<RequestFailureCode, 'timeout'>;
  readonly reason: string;
} {
  const code = getErrorCode(error);
  // A failed connection to a name with several addresses is one error around several.
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const message = inner instanceof Error ? inner.message : String(inner);
  const reason = code === '' || message.includes(code) ? message : `${code}: ${message}`;
  return {
    code: isOwnRefusal(code) ? code : 'network',
    reason: reason || 'no response',
  };
}

function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
