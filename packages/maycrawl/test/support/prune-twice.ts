// Pruning in tests.
import { expect } from 'vitest';
import type { WatchDatabase } from '../../src/watch/storage/database.ts';
import { type Pruned, type PruneOptions, prune } from '../../src/watch/storage/pruning.ts';

/** The result if there is nothing to delete. */
export const NOTHING: Pruned = { messages: 0, events: 0, versions: 0, contents: 0, bytes: 0 };

/** Prunes, and checks that a dry run counts the rows that are then deleted, and that no old row is left afterwards. */
export async function pruneTwice(database: WatchDatabase, options: PruneOptions): Promise<Pruned> {
  const counted = await prune(database, { ...options, isDryRun: true });
  const pruned = await prune(database, options);
  expect(counted).toEqual(pruned);
  expect(await prune(database, options)).toEqual(NOTHING);
  return pruned;
}
