/**
 * Profiles: sets of options for the points in which interpretations of the Robots Exclusion Protocol differ. Code branches on the
 * options of a profile, never on its name.
 *
 * @module
 */

/** The effect of a robots.txt outage from a point in time until the next phase. */
export interface OutagePhase {
  /** Start of the phase in milliseconds since the first failure. */
  readonly from: number;
  /**
   * `disallow`: all URLs are disallowed. `last-answer`: the last successful response applies; without one, all URLs are allowed.
   * `allow-if-reachable`: all URLs are allowed if the site is otherwise reachable, and disallowed if it is not.
   */
  readonly meaning: 'disallow' | 'last-answer' | 'allow-if-reachable';
}

/**
 * The effect of failures to fetch a robots.txt (Google's robots.txt page, on errors and HTTP status codes; RFC 9309 section 2.3.1.4).
 */
export interface OutagePolicy {
  /** At least one phase, in ascending order of `from`. The first starts at 0. */
  readonly phases: readonly OutagePhase[];
  /**
   * How to treat a 5xx response whose body says that the page was not found, from a site that responds to missing pages in this way:
   * as an outage, or as an absent robots.txt.
   */
  readonly notFoundBody: 'unreachable' | 'absent';
}

/** An interpretation of the Robots Exclusion Protocol. */
export interface Profile {
  readonly name: string;
  /** `prefix`: misspelt field names and longer words with the name as prefix count too (Google). `exact`: only standard names count. */
  readonly fieldNames: 'prefix' | 'exact';
  /** Whether an allow rule for `/x/index.htm...` also allows the directory `/x/` (Google's matcher). */
  readonly indexPages: boolean;
  /** A pattern that starts with neither `/` nor `*` matches no URL, or is read with a leading `/`. */
  readonly missingSlash: 'never-matches' | 'added';
  /** Whether `/robots.txt` is always allowed, regardless of the rules (RFC 9309 section 2.2.2). */
  readonly robotsTxtAllowed: boolean;
  /**
   * `escaped`: patterns and paths are compared with only their non-ASCII octets percent-encoded (Google). `decoded`: they are
   * compared after the percent-encoding rules of RFC 9309 section 2.2.2.
   */
  readonly comparison: 'escaped' | 'decoded';
  /** Treats HTTP status 429 as an outage like a 5xx, or as an absent robots.txt like other 4xx. */
  readonly tooManyRequests: 'unreachable' | 'absent';
  readonly outage: OutagePolicy;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const INITIAL_PHASE: OutagePhase = { from: 0, meaning: 'disallow' };

/** Google's interpretation since RFC 9309: the current robots.txt page, and the open-source matcher byte for byte. */
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
      INITIAL_PHASE,
      { from: 12 * HOUR, meaning: 'last-answer' },
      { from: 30 * DAY, meaning: 'allow-if-reachable' },
    ],
    notFoundBody: 'unreachable',
  },
};

const LAST_ANSWER_AFTER_30_DAYS: readonly OutagePhase[] = [
  INITIAL_PHASE,
  { from: 30 * DAY, meaning: 'last-answer' },
];

/** Google's robots.txt page as of 2022. It differs from {@link GOOGLE} in its outage policy. */
export const GOOGLE_2022: Profile = {
  ...GOOGLE,
  name: 'google-2022',
  outage: { phases: LAST_ANSWER_AFTER_30_DAYS, notFoundBody: 'absent' },
};

/** Google's robots.txt page as of 2013, before RFC 9309. */
export const GOOGLE_2013: Profile = {
  ...GOOGLE,
  name: 'google-2013',
  missingSlash: 'added',
  tooManyRequests: 'absent',
  outage: { phases: [INITIAL_PHASE], notFoundBody: 'absent' },
};

/** RFC 9309 where it differs from Google's reading. */
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

/** All built-in profiles. The first is the default. */
export const PROFILES: readonly Profile[] = [GOOGLE, GOOGLE_2022, GOOGLE_2013, RFC9309];

/** Finds a built-in profile by its name. Returns `undefined` if there is no such profile. */
export function findProfile(name: string): Profile | undefined {
  return PROFILES.find((profile) => profile.name === name);
}

/** The valid values of each option. */
const OPTION_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  fieldNames: ['prefix', 'exact'],
  indexPages: [true, false],
  missingSlash: ['never-matches', 'added'],
  robotsTxtAllowed: [true, false],
  comparison: ['escaped', 'decoded'],
  tooManyRequests: ['unreachable', 'absent'],
};

const MEANINGS: readonly OutagePhase['meaning'][] = ['disallow', 'last-answer', 'allow-if-reachable'];

/** Valid custom profiles. */
const validProfiles: WeakSet<Profile> = /* @__PURE__ */ new WeakSet();

/**
 * Finds a built-in profile by its name, or validates a custom profile.
 *
 * @param profile - the name of a built-in profile, or a profile.
 * @throws {RangeError} if the name is unknown, or an option of the profile is invalid.
 * @throws {TypeError} if `profile` is neither a string nor a profile.
 */
export function resolveProfile(profile: Profile | string): Profile {
  if (typeof profile === 'string') {
    const found = findProfile(profile);
    if (found !== undefined) return found;
    throw new RangeError(`unknown profile: ${profile}`);
  }
  if (typeof profile !== 'object' || profile === null || typeof profile.name !== 'string')
    throw new TypeError(`not a profile: ${String(profile)}`);
  if (PROFILES.includes(profile) || validProfiles.has(profile)) return profile;
  const options = profile as unknown as Readonly<Record<string, unknown>>;
  for (const [option, values] of Object.entries(OPTION_VALUES))
    if (!values.includes(options[option]))
      throw new RangeError(
        `${option} of a profile must be one of ${values.join(', ')}, not ${String(options[option])}`,
      );
  validateOutage(profile.outage);
  validProfiles.add(profile);
  return profile;
}

function validateOutage(outage: OutagePolicy): void {
  const { phases, notFoundBody } = outage ?? {};
  if (notFoundBody !== 'unreachable' && notFoundBody !== 'absent')
    throw new RangeError(
      `notFoundBody of an outage policy must be unreachable or absent, not ${String(notFoundBody)}`,
    );
  const areValid =
    Array.isArray(phases) &&
    phases.length > 0 &&
    phases.every(
      ({ from, meaning }, index) =>
        MEANINGS.includes(meaning) && (index === 0 ? from === 0 : from > (phases[index - 1]?.from as number)),
    );
  if (!areValid)
    throw new RangeError(
      `phases of an outage policy must start at 0, be in ascending order, and have a meaning of ${MEANINGS.join(', ')}`,
    );
}
