/**
 * `maycrawl watch prune`: deletes what is old.
 *
 * @module
 */

import { toJson } from '../../../text/printable.ts';
import { type Pruned, prune } from '../../../watch/storage/pruning.ts';
import { type DatabaseOptions, withRepository } from './database.ts';

export interface PruneCommandOptions extends DatabaseOptions {
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly dryRun?: boolean;
}

/** Deletes what is old, and contents that nothing refers to. @returns the exit code, 0. */
export async function pruneWatch(options: PruneCommandOptions): Promise<number> {
  const now = Date.now();
  const { olderThan } = options;
  const before = olderThan === undefined ? 0 : now - olderThan;
  const isDryRun = options.dryRun === true;
  return withRepository(options, async (_repository, _outbox, database) => {
    const pruned = await prune(database, { before, now, isDryRun });
    const time = olderThan === undefined ? null : new Date(before).toISOString();
    if (options.json) process.stdout.write(`${toJson({ before: time, isDryRun, ...pruned }, 2)}\n`);
    else process.stdout.write(`${describePruned(pruned)} ${isDryRun ? 'would be deleted' : 'deleted'}\n`);
    return 0;
  });
}

/** What was deleted, in words. */
export function describePruned({ versions, events, messages, contents, bytes }: Pruned): string {
  const parts = [
    counted(versions, 'version'),
    counted(events, 'event'),
    counted(messages, 'message'),
    `${counted(contents, 'content')} (${counted(bytes, 'byte')})`,
  ];
  return parts.join(', ');
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
