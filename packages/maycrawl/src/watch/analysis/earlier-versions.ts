// The earlier versions of a site when its response changes: whether it is back to one of them, by its bytes or by a proof, and which
// version was in force before a failure of the server.
import { parse } from '@maycrawl/core';
import { compareDeclarations } from '@maycrawl/core/preferences';
import { Budget, compareFiles } from '@maycrawl/core/proofs';
import type { Severity } from '../site.ts';
import { getFileCondition } from './file-condition.ts';

/** An earlier version with which a new response is compared. */
export interface EarlierVersion {
  /** The number of the first version with that file. */
  readonly number: number;
  /** When it was replaced last, in milliseconds since 1970. */
  readonly until: number;
  /** The severity of the event that reported it first; `info` if that is not stored any more. */
  readonly severity: Severity;
}

/** Earlier versions of a site. */
export interface EarlierVersions {
  /** The version with the same bytes as the new response. */
  readonly same: EarlierVersion | null;
  /** Some versions with other bytes that may have the same effect, the most likely first. Empty if there is one with the same bytes. */
  readonly similar: readonly (EarlierVersion & { readonly bytes: Uint8Array })[];
  /** The last version whose file crawlers could read; `null`: no version. */
  readonly regular: { readonly number: number; readonly bytes: Uint8Array } | null;
  /** Since when the site has sent no readable file, in milliseconds since 1970; `null` if the current version is one. */
  readonly failingSince: number | null;
}

export const NO_VERSIONS: EarlierVersions = {
  same: null,
  similar: [],
  regular: null,
  failingSince: null,
};

/** A longer failure is the normal state of a site: milliseconds, as the outage policy. */
const LONGEST_FAILURE = 30 * 86_400_000;

/** Returns the version that was in force before the current failure; `undefined` if there is no failure, or it is a long one. */
export function getInterrupted(
  { regular, failingSince }: EarlierVersions,
  now: number,
): EarlierVersions['regular'] {
  return failingSince !== null && now - failingSince <= LONGEST_FAILURE ? regular : null;
}

/** States of all proofs together, about a second of work: a return is information, and the analysis has a deadline. */
const MAX_STATES = 200_000;

/**
 * Finds an earlier version whose bytes differ from a file, and that is proved to have the same verdicts and the same declarations about the
 * use of content, for every crawler and URL.
 *
 * @returns `null` if no earlier version has the same verdicts, or that could not be proved.
 */
export function findProvedReturn({ similar }: EarlierVersions, file: Uint8Array): EarlierVersion | null {
  const budget = new Budget(MAX_STATES);
  const robots = parse(file);
  for (const version of similar) {
    if (getFileCondition(version.bytes) !== 'text') continue;
    const other = parse(version.bytes);
    if (compareFiles(other, robots, { budget }).equivalent !== true) continue;
    const { equivalent } = compareDeclarations(other, robots, { budget });
    if (equivalent === true) return version;
  }
  return null;
}
