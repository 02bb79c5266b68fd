/**
 * The profile that a request names.
 *
 * @module
 */
import { findProfile, PROFILES, type Profile } from '@maycrawl/core';
import { Problem } from '../http/problems.ts';

/** @throws {Problem} if there is no profile of that name. */
export function profileNamed(name: string): Profile {
  const profile = findProfile(name);
  if (profile !== undefined) return profile;
  throw new Problem('unknown-profile', `choose one of ${PROFILES.map((each) => each.name).join(', ')}`);
}
