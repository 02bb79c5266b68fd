// The profile that a request names.
import { findProfile, PROFILES, type Profile } from '@maycrawl/core';
import { Problem } from '../http/problems.ts';

/** Returns the profile with a name. @throws {Problem} `unknown-profile` if there is none. */
export function getProfile(name: string): Profile {
  const profile = findProfile(name);
  if (profile !== undefined) return profile;
  throw new Problem('unknown-profile', `the profiles are ${PROFILES.map((each) => each.name).join(', ')}`);
}
