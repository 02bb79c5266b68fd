// Requests that the client refuses to send: their failures say nothing about the site, and the next attempt fails, too.

/** Codes of these failures: the guard refused the address, or the Fetch Standard blocks the port. */
export type OwnRefusalCode = 'private-address' | 'blocked-port';

/** Returns whether the client refused to send a request, by the code of its failure. */
export function isOwnRefusal(code: unknown): code is OwnRefusalCode {
  return code === 'private-address' || code === 'blocked-port';
}
