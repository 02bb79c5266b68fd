/**
 * Profiles: the complete sets of choices in which the known readings of the Robots Exclusion Protocol differ. A
 * profile is data; the code asks it for a choice and never for its name.
 *
 * @module
 */

/** One named reading of the protocol. */
export interface Profile {
  readonly name: string;
  /** `prefix`: misspellings and longer words count as the field (Google); `exact`: only the standard names. */
  readonly fieldNames: 'prefix' | 'exact';
  /** An allow rule for `index.htm...` also allows the bare directory (Google's matcher). */
  readonly indexPages: boolean;
  /** A pattern that starts with neither `/` nor `*`: it matches nothing, or is read as if it started with `/`. */
  readonly missingSlash: 'never-matches' | 'added';
  /** `/robots.txt` may always be fetched, whatever the rules say (RFC 9309 section 2.2.2). */
  readonly robotsTxtAllowed: boolean;
  /**
   * `escaped`: patterns and paths are compared as they are written, with only non-ASCII octets escaped (Google);
   * `decoded`: after the percent-encoding rules of RFC 9309 section 2.2.2.
   */
  readonly comparison: 'escaped' | 'decoded';
  /** What HTTP status 429 for the robots.txt means: an outage like a 5xx, or an absent file like any other 4xx. */
  readonly tooManyRequests: 'unreachable' | 'absent';
}

/** Google's reading since RFC 9309: the current documentation page, and the open-source matcher byte for byte. */
export const GOOGLE: Profile = {
  name: 'google',
  fieldNames: 'prefix',
  indexPages: true,
  missingSlash: 'never-matches',
  robotsTxtAllowed: false,
  comparison: 'escaped',
  tooManyRequests: 'unreachable',
};

/** Google's page in its 2022 wording: differs from today's in how long outages are read. */
export const GOOGLE_2022: Profile = {
  ...GOOGLE,
  name: 'google-2022',
};

/** Google's page before RFC 9309, as of 2013. */
export const GOOGLE_2013: Profile = {
  ...GOOGLE,
  name: 'google-2013',
  missingSlash: 'added',
  tooManyRequests: 'absent',
};

/** RFC 9309, where it differs from Google. */
export const RFC9309: Profile = {
  name: 'rfc9309',
  fieldNames: 'exact',
  indexPages: false,
  missingSlash: 'never-matches',
  robotsTxtAllowed: true,
  comparison: 'decoded',
  tooManyRequests: 'absent',
};

/** All profiles; the first is the default. */
export const PROFILES: readonly Profile[] = [GOOGLE, GOOGLE_2022, GOOGLE_2013, RFC9309];

/** Finds a profile by its name; `undefined` if there is none. */
export function findProfile(name: string): Profile | undefined {
  return PROFILES.find((profile) => profile.name === name);
}
