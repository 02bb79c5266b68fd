// The robots.txt files of the sites of a run. The column `policy` has the word of a stored policy, or `given` for a file that the caller
// gave.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import { fromStoredPolicy } from '@maycrawl/client/internal';
import { getPolicyCode, type PolicySummary } from '@maycrawl/core';
import { RunError } from '../run-error.ts';

/** The robots.txt of a site in the run. */
export interface StoredRobots {
  readonly origin: string;
  readonly policy: PolicySummary;
  /** Whether the user gave the file, which replaces that of the site. */
  readonly isGiven: boolean;
  readonly code: string | null;
  readonly message: string | null;
  readonly fetchedAt: number | null;
  readonly body: Uint8Array | null;
}

type RobotsRow = Omit<StoredRobots, 'policy' | 'isGiven'> & { readonly policy: string };

const GIVEN = 'given';
const UNREACHABLE = { kind: 'disallow-all', reason: 'unreachable' } as const;
const COLUMNS = 'origin, policy, code, message, fetched_at as fetchedAt, body';

/** Writes and reads robots.txt files. */
export class RobotsTable {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Stores the file of a site, in place of an earlier one. */
  set({ origin, policy, isGiven, code, message, fetchedAt, body }: StoredRobots): void {
    this.#database.run(
      'insert or replace into robots (origin, policy, code, message, fetched_at, body) values (?, ?, ?, ?, ?, ?)',
      // A run has no unknown policies: they are stored as what they mean, that nothing is allowed.
      ...[origin, isGiven ? GIVEN : getPolicyCode(policy.kind === 'unknown' ? UNREACHABLE : policy)],
      ...[code, message, fetchedAt, body],
    );
  }

  /** Returns the file of a site; `undefined` if the run does not have it. */
  get(origin: string): StoredRobots | undefined {
    const row = this.#database.get<RobotsRow>(`select ${COLUMNS} from robots where origin = ?`, origin);
    return row && toStoredRobots(row);
  }

  /** Returns all files, in the order of their origins. */
  list(): StoredRobots[] {
    return this.#database.all<RobotsRow>(`select ${COLUMNS} from robots order by origin`).map(toStoredRobots);
  }
}

export function isStoredPolicy(word: unknown): boolean {
  return word === GIVEN || fromStoredPolicy(word) !== undefined;
}

/** @throws {RunError} `run-damaged` if the policy is unknown: a report of a guess would look like one of a fact. */
function toStoredRobots({ policy: word, ...row }: RobotsRow): StoredRobots {
  const policy = word === GIVEN ? ({ kind: 'rules' } as const) : fromStoredPolicy(word);
  if (policy === undefined)
    throw new RunError(
      'run-damaged',
      'the run is damaged: a row of the table "robots" has an unknown policy',
    );
  return { ...row, policy, isGiven: word === GIVEN };
}
