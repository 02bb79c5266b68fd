// The earlier versions of a site when its response changes: whether it is back to one of them, and which version was in
// force before a failure of the server.
import type { Severity } from '../site.ts';

/** An earlier version with the same file as the new response. */
interface SameVersion {
  /** The number of the first version with that file. */
  readonly number: number;
  /** When it was replaced last, in milliseconds since 1970. */
  readonly until: number;
  /** The severity of the event that reported it first; `info` if that is not stored any more. */
  readonly severity: Severity;
}

/** Earlier versions of a site. */
export interface EarlierVersions {
  readonly same: SameVersion | null;
  /** The last version whose file crawlers could read; `null`: no version. */
  readonly regular: { readonly number: number; readonly bytes: Uint8Array } | null;
  /** Since when the site has sent no readable file, in milliseconds since 1970; `null` if the current version is one. */
  readonly failingSince: number | null;
}

export const NO_VERSIONS: EarlierVersions = { same: null, regular: null, failingSince: null };

/** A longer failure is the normal state of a site: milliseconds, as the outage policy. */
const LONGEST_FAILURE = 30 * 86_400_000;

/** Returns the version that was in force before the current failure; `undefined` if there is no failure, or it is a long one. */
export function getInterrupted(
  { regular, failingSince }: EarlierVersions,
  now: number,
): EarlierVersions['regular'] {
  return failingSince !== null && now - failingSince <= LONGEST_FAILURE ? regular : null;
}
