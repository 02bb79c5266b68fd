// Reads columns of the monitor's tables. Other programs or a damaged disk may have written values that must end neither
// the monitor nor a page.
import type { UnconditionalResult } from '@maycrawl/client';
import { fromStoredPolicy, isStoredKind } from '@maycrawl/client/internal';
import type { PolicySummary } from '@maycrawl/core';
import type { WatchJson } from '../../api/watch-api.ts';
import { DamagedSiteError } from '../site.ts';
import type { SiteRow, VersionRow } from './tables.ts';

/** Reads the policy of a site. One that cannot be read is unknown. */
export function readPolicy({ policy }: Pick<SiteRow, 'policy'>): PolicySummary {
  return fromStoredPolicy(policy) ?? { kind: 'unknown' };
}

/** Reads the result of a version. One that cannot be read counts as a failure. */
export function readKind(stored: unknown): UnconditionalResult['kind'] {
  return isStoredKind(stored) ? stored : 'unreachable';
}

type Facts = Pick<WatchJson<'Version'>, 'status' | 'code' | 'message' | 'headers' | 'hops' | 'condition'>;

/** Reads how a version was fetched. */
export function readFacts({ facts }: Pick<VersionRow, 'facts'>): Facts {
  return JSON.parse(facts) as Facts;
}

const TIMES = ['due_at', 'lease_until', 'checked_at', 'throttled_at', 'set_aside_at'] as const;
const COUNTS = ['checks', 'version', 'attempts'] as const;

/**
 * Checks the times and numbers of a site. SQLite stores any value in any column.
 *
 * @throws {DamagedSiteError} for one that is damaged.
 */
export function requireIntactSite(row: SiteRow): void {
  const damaged =
    TIMES.find((name) => !(row[name] === null || isTime(row[name]))) ??
    COUNTS.find((name) => !(Number.isSafeInteger(row[name]) && row[name] >= 0));
  if (damaged !== undefined) throw new DamagedSiteError(row.origin, damaged);
}

/** Whether a value is a time that dates can have, in milliseconds since 1970. */
function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && !Number.isNaN(new Date(value as number).getTime());
}
