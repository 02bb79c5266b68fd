// Failures of this machine: they say nothing about the server that could not be reached, and are no outage of it. Callers retry. An error
// of the program is no outage either.
import { CodedError } from '../coded-error.ts';

/** Codes of the operating system: no more files, sockets or memory. */
const SYSTEM_CODES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS']);

/** Stable codes of failures of this machine. */
export type LocalFailureCode =
  /** No name server has responded to any query, or they refuse to. */
  | 'name-server-unreachable'
  /** More names wait to be resolved than fit, or one has waited for too long. */
  | 'resolver-overloaded'
  /** A function of the caller, such as a resolver or an address policy, has thrown an error, or returned something else than it should. */
  | 'caller-failed'
  /** This JavaScript runtime cannot do what connections need. */
  | 'unsupported-runtime';

/** Something is wrong with this machine, not with the server. */
export class LocalFailureError extends CodedError<LocalFailureCode> {
  override readonly name = 'LocalFailureError';
}

/**
 * Calls a function of the caller. Its errors are no failures of the server.
 *
 * @throws {LocalFailureError} `caller-failed` if it throws.
 */
export function callCaller<T>(what: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw createCallerFailure(what, cause);
  }
}

export function createCallerFailure(what: string, cause: unknown): LocalFailureError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new LocalFailureError('caller-failed', `${what} of the caller failed: ${reason}`, { cause });
}

/**
 * Checks whether an error is one of the network or the server: neither a failure of this machine nor an error of the program, such as a
 * call of a function that does not exist. A SyntaxError is one of the server: Node throws it for an invalid certificate
 * (`ERR_TLS_CERT_ALTNAME_FORMAT`).
 */
export function isRemoteFailure(error: unknown): boolean {
  const isProgramError =
    error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return !isProgramError && !isLocalFailure(error);
}

/** Checks whether an error is a failure of this machine. */
export function isLocalFailure(error: unknown): boolean {
  if (error instanceof LocalFailureError) return true;
  const { code = '', address = '' } = error as { readonly code?: string; readonly address?: string };
  // There are no more local ports. For an IPv6 address it means that there is no route.
  const isOutOfPorts = code === 'EADDRNOTAVAIL' && !address.includes(':');
  return isOutOfPorts || SYSTEM_CODES.has(code);
}
