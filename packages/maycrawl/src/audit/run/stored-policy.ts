/**
 * The form in which runs store the policy of a site: the word of a stored policy, or `given` for a file that the caller gave.
 *
 * @module
 */
import { fromStoredPolicy, toStoredPolicy as toStoredWord } from '@maycrawl/client/origins';
import { RunError } from './run-error.ts';
import type { StoredRobots } from './run-store.ts';

const GIVEN = 'given';
const UNREACHABLE = { kind: 'disallow-all', reason: 'unreachable' } as const;

/** A row of the table of files. */
export type RobotsRow = Omit<StoredRobots, 'policy' | 'isGiven' | 'message'> & {
  readonly use: string;
  readonly reason: string | null;
};

/** Whether a word is that of a stored policy. */
export function isStoredPolicy(word: unknown): boolean {
  return word === GIVEN || fromStoredPolicy(word) !== undefined;
}

/** Converts a policy to its stored word. A run has no unknown policies: they are stored as what they mean, that nothing is allowed. */
export function toStoredPolicy({ policy, isGiven }: Pick<StoredRobots, 'policy' | 'isGiven'>): string {
  return isGiven ? GIVEN : toStoredWord(policy.kind === 'unknown' ? UNREACHABLE : policy);
}

/**
 * Reads a row.
 *
 * @throws {RunError} `run-damaged` if its policy is unknown: a report of a guess would look like one of a fact.
 */
export function fromRobotsRow({ use, reason: message, ...row }: RobotsRow): StoredRobots {
  const policy = use === GIVEN ? ({ kind: 'rules' } as const) : fromStoredPolicy(use);
  if (policy === undefined)
    throw new RunError(
      'run-damaged',
      'the run is damaged: a row of the table "robots" has an unknown policy',
    );
  return { ...row, message, policy, isGiven: use === GIVEN };
}
