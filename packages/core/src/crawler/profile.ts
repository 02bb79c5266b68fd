/**
 * Profiles: the complete sets of choices in which the known readings of the Robots Exclusion Protocol differ. A
 * profile is data; the code asks it for a choice and never for its name.
 *
 * @module
 */

/** What an outage of the robots.txt means from some time on. */
export interface OutagePhase {
  /** Milliseconds since its first failure. */
  readonly from: number;
  /**
   * `disallow`: nothing may be fetched. `last-answer`: the last good response applies; without one everything is allowed.
   * `allow-if-reachable`: everything is allowed if the site is otherwise reachable, else nothing.
   */
  readonly meaning: 'disallow' | 'last-answer' | 'allow-if-reachable';
}

/** What failures to fetch the robots.txt mean (Google's page, on errors and HTTP status codes; RFC 9309 section 2.3.1.4). */
export interface OutagePolicy {
  /** Phases in the order of time, the first from 0 on. */
  readonly phases: readonly OutagePhase[];
  /** What a 5xx means whose body says that the page was not found, from a site that responds so to missing pages. */
  readonly notFoundBody: 'unreachable' | 'absent';
}

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
  readonly outage: OutagePolicy;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CLOSED: OutagePhase = { from: 0, meaning: 'disallow' };

/** Google's reading since RFC 9309: the current documentation page, and the open-source matcher byte for byte. */
export const GOOGLE: Profile = {
  name: 'google',
  fieldNames: 'prefix',
  indexPages: true,
  missingSlash: 'never-matches',
  robotsTxtAllowed: false,
  comparison: 'escaped',
  tooManyRequests: 'unreachable',
  outage: {
    phases: [
      CLOSED,
      { from: 12 * HOUR, meaning: 'last-answer' },
      { from: 30 * DAY, meaning: 'allow-if-reachable' },
    ],
    notFoundBody: 'unreachable',
  },
};

const LAST_ANSWER_AFTER_30_DAYS: readonly OutagePhase[] = [
  CLOSED,
  { from: 30 * DAY, meaning: 'last-answer' },
];

/** Google's page in its 2022 wording: differs from today's in how long outages are read. */
export const GOOGLE_2022: Profile = {
  ...GOOGLE,
  name: 'google-2022',
  outage: { phases: LAST_ANSWER_AFTER_30_DAYS, notFoundBody: 'absent' },
};

/** Google's page before RFC 9309, as of 2013. */
export const GOOGLE_2013: Profile = {
  ...GOOGLE,
  name: 'google-2013',
  missingSlash: 'added',
  tooManyRequests: 'absent',
  outage: { phases: [CLOSED], notFoundBody: 'absent' },
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
  outage: { phases: LAST_ANSWER_AFTER_30_DAYS, notFoundBody: 'unreachable' },
};

/** All profiles; the first is the default. */
export const PROFILES: readonly Profile[] = [GOOGLE, GOOGLE_2022, GOOGLE_2013, RFC9309];

/** Finds a profile by its name; `undefined` if there is none. */
export function findProfile(name: string): Profile | undefined {
  return PROFILES.find((profile) => profile.name === name);
}

/** The values of each choice. */
const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  fieldNames: ['prefix', 'exact'],
  indexPages: [true, false],
  missingSlash: ['never-matches', 'added'],
  robotsTxtAllowed: [true, false],
  comparison: ['escaped', 'decoded'],
  tooManyRequests: ['unreachable', 'absent'],
};

const MEANINGS: readonly OutagePhase['meaning'][] = ['disallow', 'last-answer', 'allow-if-reachable'];

/** Profiles of callers that were checked. */
const checked: WeakSet<Profile> = /* @__PURE__ */ new WeakSet();

/**
 * Finds the profile that a name means, or checks one of the caller's own.
 *
 * @throws {RangeError} if there is no profile of that name, or a choice has a value that it cannot have.
 * @throws {TypeError} if `profile` is neither a name nor a profile.
 */
export function resolveProfile(profile: Profile | string): Profile {
  if (typeof profile === 'string') {
    const found = findProfile(profile);
    if (found !== undefined) return found;
    throw new RangeError(`there is no profile named ${profile}`);
  }
  if (typeof profile !== 'object' || profile === null || typeof profile.name !== 'string')
    throw new TypeError(`not a profile: ${String(profile)}`);
  if (PROFILES.includes(profile) || checked.has(profile)) return profile;
  const choices = profile as unknown as Readonly<Record<string, unknown>>;
  for (const [choice, values] of Object.entries(CHOICES))
    if (!values.includes(choices[choice]))
      throw new RangeError(
        `${choice} of a profile is one of ${values.join(', ')}, not ${String(choices[choice])}`,
      );
  checkOutage(profile.outage);
  checked.add(profile);
  return profile;
}

function checkOutage(outage: OutagePolicy): void {
  const { phases, notFoundBody } = outage ?? {};
  if (notFoundBody !== 'unreachable' && notFoundBody !== 'absent')
    throw new RangeError(`notFoundBody of an outage is unreachable or absent, not ${String(notFoundBody)}`);
  const isInOrder =
    Array.isArray(phases) &&
    phases.length > 0 &&
    phases.every(
      ({ from, meaning }, index) =>
        MEANINGS.includes(meaning) && (index === 0 ? from === 0 : from > (phases[index - 1]?.from as number)),
    );
  if (!isInOrder)
    throw new RangeError(`phases of an outage begin at 0, rise, and mean one of ${MEANINGS.join(', ')}`);
}
