// `maycrawl watch prune`: deletes old versions, events and messages.

import { formatCount } from '../../../text/counts.ts';
import { type Pruned, prune } from '../../../watch/storage/pruning.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { withRepository } from './database.ts';
import type { PruneCommandOptions } from './options.ts';

/** Deletes old rows, and contents that no row refers to. @returns the exit code, 0. */
export async function pruneWatch(options: PruneCommandOptions): Promise<number> {
  const now = Date.now();
  const { olderThan } = options;
  const before = olderThan === undefined ? 0 : now - olderThan;
  const isDryRun = options.dryRun === true;
  return withRepository(options, async (_repository, _outbox, database) => {
    const pruned = await prune(database, { before, now, isDryRun });
    const time = olderThan === undefined ? null : new Date(before).toISOString();
    if (options.json) printJson({ before: time, isDryRun, ...pruned }, 2);
    else printLine(`${describePruned(pruned)} ${isDryRun ? 'would be deleted' : 'deleted'}`);
    return 0;
  });
}

/** Describes the deleted rows. */
export function describePruned({ versions, events, messages, contents, bytes }: Pruned): string {
  const parts = [
    formatCount(versions, 'version'),
    formatCount(events, 'event'),
    formatCount(messages, 'message'),
    `${formatCount(contents, 'content')} (${formatCount(bytes, 'byte')})`,
  ];
  return parts.join(', ');
}
