// Classes of failures. Profiles differ in the classes that they count as an outage of the site (RFC 9309 section 2.3.1.3, and 2.3.1.4).
import { isOwnRefusal } from '../../http/request-failure.ts';
import type { FetchCode } from '../fetch-result.ts';

/**
 * - `refusal`: the client refused to send the request.
 * - `tooManyRequests`: status 429.
 * - `notFound`: a 5xx whose body says that the page was not found.
 * - `error`: any other failure, which is an outage under all profiles.
 */
export type FailureClass = 'refusal' | 'tooManyRequests' | 'notFound' | 'error';

/** The part of a failure that decides its class. */
interface ClassifiedFailure {
  readonly code: FetchCode;
  readonly status: number | null;
  readonly saysNotFound: boolean;
}

export function getFailureClass({ code, status, saysNotFound }: ClassifiedFailure): FailureClass {
  if (isOwnRefusal(code)) return 'refusal';
  if (status === 429) return 'tooManyRequests';
  return saysNotFound ? 'notFound' : 'error';
}
