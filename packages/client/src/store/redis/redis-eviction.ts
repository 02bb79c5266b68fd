// Eviction from a store in Redis, in steps. One process at a time evicts: what two processes counted at the same time, both would remove.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from '../../database/database-error.ts';
import { type Evicted, type EvictionOptions, takeNeeded, takeStep } from '../eviction-step.ts';
import { chooseEvicted, type EntryKind, type Totals } from '../limits.ts';
import type { RedisCandidate, RedisEntries } from './redis-entries.ts';
import type { RedisLeases } from './redis-leases.ts';

/** The lease of the process that evicts has this name, which is no origin. */
const LEASE = 'eviction';
/** How long one step may take. Milliseconds. */
const LEASE_TIME = 5_000;
/** How long to wait for the steps of other processes, and the pause between two attempts. Milliseconds. */
const [LONGEST_WAIT, WAIT_PAUSE] = [15_000, 20] as const;
/** Entries that a step reads of each bucket. */
const BUCKET_ENTRIES = 32;

/** Evicts what is over the limits and what is too old. */
export async function evictFromRedis(
  entries: RedisEntries,
  leases: RedisLeases,
  options: EvictionOptions,
): Promise<Evicted> {
  const owner = randomUUID();
  let removed = 0;
  let removedBytes = 0;
  for (;;) {
    const isMine = await takeLease(leases, owner, options.waits);
    const totals = await entries.readTotals();
    const candidates = isMine ? await findCandidates(entries, options, totals) : [];
    const last = candidates.at(-1);
    // An entry that was used meanwhile stays.
    const origins = candidates.map(({ origin }) => origin);
    const gone = last === undefined ? undefined : await entries.remove(origins, last.usedAt);
    if (isMine) await leases.release(LEASE, owner);
    removed += gone?.count ?? 0;
    removedBytes += gone?.bytes ?? 0;
    options.onStep(gone?.count ?? 0);
    if (gone === undefined || options.isStopped()) return { removed, removedBytes, totals };
  }
}

async function takeLease(leases: RedisLeases, owner: string, waits: boolean): Promise<boolean> {
  for (let attempts = 0; !(await leases.take(LEASE, owner, LEASE_TIME)); attempts++) {
    if (!waits) return false;
    if (attempts * WAIT_PAUSE > LONGEST_WAIT)
      throw new DatabaseError('database-busy', 'another process evicts from the store');
    await sleep(WAIT_PAUSE);
  }
  return true;
}

async function findCandidates(
  entries: RedisEntries,
  { limits, oldest }: EvictionOptions,
  totals: Totals,
): Promise<readonly RedisCandidate[]> {
  const find = (kind: EntryKind, before: number): Promise<RedisCandidate[]> =>
    entries.findLeastUsed(kind, before, BUCKET_ENTRIES);
  const kind = chooseEvicted(totals, limits);
  if (kind !== undefined) return takeNeeded(await find(kind, Number.POSITIVE_INFINITY), kind, limits, totals);
  if (oldest === undefined) return [];
  const good = await find('good', oldest);
  return takeStep(good.length > 0 ? good : await find('failing', oldest));
}
