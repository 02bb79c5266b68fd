// Profiles: sets of options for the points in which interpretations of the Robots Exclusion Protocol differ. Code branches on the
// options of a profile, never on its name.
import { checkOptions, type OptionTypes, quoteValue } from '../bytes/check-options.ts';
import { freezeDeep } from '../bytes/freeze.ts';

/** The effect of a robots.txt outage from a point in time until the next phase. */
export interface OutagePhase {
  /** Start of the phase in milliseconds since the first failure. */
  readonly from: number;
  /**
   * `disallow`: all URLs are disallowed. `last-response`: the last successful response applies; without one, all URLs are allowed.
   * `allow-if-reachable`: all URLs are allowed if the site is otherwise reachable, and disallowed if it is not.
   */
  readonly effect: 'disallow' | 'last-response' | 'allow-if-reachable';
}

/** The effect of failures to fetch a robots.txt (Google's robots.txt page, on errors and HTTP status codes; RFC 9309 section 2.3.1.4). */
export interface OutagePolicy {
  /** At least one phase, in ascending order of `from`. The first starts at 0. */
  readonly phases: readonly OutagePhase[];
  /**
   * How to treat a 5xx response whose body says that the page was not found, from a site that responds to missing pages in this way:
   * as an outage, or as an unavailable robots.txt.
   */
  readonly softNotFound: 'unreachable' | 'unavailable';
}

/** An interpretation of the Robots Exclusion Protocol. */
export interface Profile {
  readonly name: string;
  /** `prefix`: misspelled field names and longer words with the name as prefix count too (Google). `exact`: only standard names count. */
  readonly fieldNames: 'prefix' | 'exact';
  /** Whether an allow rule for `/x/index.htm...` also allows the directory `/x/` (Google's matcher). */
  readonly matchesIndexPages: boolean;
  /** A pattern that starts with neither `/` nor `*` matches no URL, or is read with a leading `/`. */
  readonly missingSlash: 'no-match' | 'add';
  /** Whether `/robots.txt` is always allowed, regardless of the rules (RFC 9309 section 2.2.2). */
  readonly isRobotsTxtAllowed: boolean;
  /**
   * `escaped`: patterns and paths are compared with only their non-ASCII octets percent-encoded (Google). `decoded`: they are
   * compared after the percent-encoding rules of RFC 9309 section 2.2.2.
   */
  readonly comparison: 'escaped' | 'decoded';
  /** Treats HTTP status 429 as an outage like a 5xx, or as an unavailable robots.txt like other 4xx. */
  readonly status429: 'unreachable' | 'unavailable';
  readonly outage: OutagePolicy;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const INITIAL_PHASE: OutagePhase = { from: 0, effect: 'disallow' };

/** Google's interpretation since RFC 9309: the current robots.txt page, and the open-source matcher byte for byte. */
export const GOOGLE: Profile = /* @__PURE__ */ freezeDeep({
  name: 'google',
  fieldNames: 'prefix',
  matchesIndexPages: true,
  missingSlash: 'no-match',
  isRobotsTxtAllowed: false,
  comparison: 'escaped',
  status429: 'unreachable',
  outage: {
    phases: [
      INITIAL_PHASE,
      { from: 12 * HOUR, effect: 'last-response' },
      { from: 30 * DAY, effect: 'allow-if-reachable' },
    ],
    softNotFound: 'unreachable',
  },
});

const LAST_RESPONSE_AFTER_30_DAYS: readonly OutagePhase[] = [
  INITIAL_PHASE,
  { from: 30 * DAY, effect: 'last-response' },
];

/** Google's robots.txt page as of 2022. It differs from {@link GOOGLE} in its outage policy. */
export const GOOGLE_2022: Profile = /* @__PURE__ */ freezeDeep({
  ...GOOGLE,
  name: 'google-2022',
  outage: { phases: LAST_RESPONSE_AFTER_30_DAYS, softNotFound: 'unavailable' },
});

/** Google's robots.txt page as of 2013, before RFC 9309. */
export const GOOGLE_2013: Profile = /* @__PURE__ */ freezeDeep({
  ...GOOGLE,
  name: 'google-2013',
  missingSlash: 'add',
  status429: 'unavailable',
  outage: { phases: [INITIAL_PHASE], softNotFound: 'unavailable' },
});

/** RFC 9309 where it differs from Google's reading. */
export const RFC9309: Profile = /* @__PURE__ */ freezeDeep({
  name: 'rfc9309',
  fieldNames: 'exact',
  matchesIndexPages: false,
  missingSlash: 'no-match',
  isRobotsTxtAllowed: true,
  comparison: 'decoded',
  status429: 'unavailable',
  outage: { phases: LAST_RESPONSE_AFTER_30_DAYS, softNotFound: 'unreachable' },
});

/** All built-in profiles. The first is the default. */
export const PROFILES: readonly Profile[] = /* @__PURE__ */ freezeDeep([
  GOOGLE,
  GOOGLE_2022,
  GOOGLE_2013,
  RFC9309,
]);

/** Finds a built-in profile by its name. Returns `undefined` if there is no such profile. */
export function findProfile(name: string): Profile | undefined {
  return PROFILES.find((profile) => profile.name === name);
}

const OPTION_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  fieldNames: ['prefix', 'exact'],
  matchesIndexPages: [true, false],
  missingSlash: ['no-match', 'add'],
  isRobotsTxtAllowed: [true, false],
  comparison: ['escaped', 'decoded'],
  status429: ['unreachable', 'unavailable'],
};

const EFFECTS: readonly OutagePhase['effect'][] = ['disallow', 'last-response', 'allow-if-reachable'];

/** Valid custom profiles, which are frozen. */
const validProfiles: WeakSet<Profile> = /* @__PURE__ */ new WeakSet();

/**
 * Finds a built-in profile by its name, or validates a custom profile.
 *
 * @param profile - the name of a built-in profile, or a profile.
 * @returns a frozen profile. It is a copy of a custom profile, so that later changes do not change decisions.
 * @throws {RangeError} if the name is unknown, or an option of the profile is invalid.
 * @throws {TypeError} if `profile` is neither a string nor a profile, or has an unknown option.
 */
export function resolveProfile(profile: Profile | string): Profile {
  if (typeof profile === 'string') {
    const found = findProfile(profile);
    if (found !== undefined) return found;
    throw new RangeError(`unknown profile: ${quoteValue(profile)}`);
  }
  if (typeof profile !== 'object' || profile === null || typeof profile.name !== 'string')
    throw new TypeError(`not a profile: ${quoteValue(profile)}`);
  if (PROFILES.includes(profile) || validProfiles.has(profile)) return profile;
  const copy = copyProfile(profile);
  validProfiles.add(copy);
  return copy;
}

function copyProfile(profile: Profile): Profile {
  checkOptions<Profile>('a profile', profile, PROFILE_TYPES);
  const { outage, ...options } = profile;
  const values: Readonly<Record<string, unknown>> = options;
  for (const [option, valid] of Object.entries(OPTION_VALUES))
    if (!valid.includes(values[option]))
      throw new RangeError(
        `${option} of a profile must be one of ${valid.join(', ')}, not ${quoteValue(values[option])}`,
      );
  return freezeDeep({ ...options, outage: copyOutage(outage) });
}

function copyOutage(outage: OutagePolicy): OutagePolicy {
  checkOptions<OutagePolicy>('outage of a profile', outage, { phases: 'array', softNotFound: 'string' });
  const { phases, softNotFound } = outage;
  if (softNotFound !== 'unreachable' && softNotFound !== 'unavailable')
    throw new RangeError(
      `softNotFound of an outage policy must be unreachable or unavailable, not ${quoteValue(softNotFound)}`,
    );
  const areValid =
    Array.isArray(phases) &&
    phases.length > 0 &&
    phases.every((phase, index) => {
      checkOptions<OutagePhase>('phase of an outage', phase, { from: 'number', effect: 'string' });
      const { from, effect } = phase;
      return (
        EFFECTS.includes(effect) && (index === 0 ? from === 0 : from > (phases[index - 1]?.from as number))
      );
    });
  if (!areValid)
    throw new RangeError(
      `phases of an outage policy must start at 0, be in ascending order, and have an effect of ${EFFECTS.join(', ')}`,
    );
  return { phases: phases.map(({ from, effect }) => ({ from, effect })), softNotFound };
}

const PROFILE_TYPES: OptionTypes<Profile> = {
  name: 'string',
  fieldNames: 'string',
  matchesIndexPages: 'boolean',
  missingSlash: 'string',
  isRobotsTxtAllowed: 'boolean',
  comparison: 'string',
  status429: 'string',
  outage: 'object',
};
