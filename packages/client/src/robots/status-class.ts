// What the status of a response says about a robots.txt (RFC 9309 section 2.3.1; Google's page, on errors and HTTP status codes).
import type { Profile } from '@maycrawl/core';
import { isRedirectStatus } from '../http/redirects.ts';

/**
 * - `successful`: the body is the file.
 * - `redirect`: another URL may have the file.
 * - `unavailable`: there is no file, so there are no restrictions.
 * - `unreachable`: it is not known whether there is a file.
 */
export type StatusClass = 'successful' | 'redirect' | 'unavailable' | 'unreachable';

/** Classifies the status of a response to a request without validators: then a 304 is invalid, and must not replace rules by their absence. */
export function classifyStatus(status: number, { status429 }: Pick<Profile, 'status429'>): StatusClass {
  if (status >= 200 && status < 300) return 'successful';
  if (isRedirectStatus(status)) return 'redirect';
  if (status < 200 || status === 304 || status >= 500) return 'unreachable';
  return status === 429 ? status429 : 'unavailable';
}
