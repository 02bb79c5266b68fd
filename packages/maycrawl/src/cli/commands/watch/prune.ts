/**
 * `maycrawl watch prune`, and `watch run --keep`: deleting what is old.
 *
 * @module
 */
import type { WatchDatabase } from '../../../watch/database.ts';
import { type Pruned, prune } from '../../../watch/pruning.ts';
import { parseDuration } from '../../input/duration.ts';
import { tell, toJson } from '../../output/terminal.ts';
import { type DatabaseOptions, withRepository } from './database.ts';

export interface PruneCommandOptions extends DatabaseOptions {
  readonly olderThan?: string;
  readonly dryRun?: boolean;
}

/** Nobody means to delete what happened today. */
const SHORTEST = '1d';
/** From one pruning of a running worker to the next, in milliseconds. */
const PAUSE = 3_600_000;

/** Deletes what is old, and contents that nothing refers to. @returns the exit code, 0. */
export async function pruneWatch(options: PruneCommandOptions): Promise<number> {
  const now = Date.now();
  const keep = keepOf(options.olderThan, '--older-than');
  const before = keep === undefined ? 0 : now - keep;
  const isDryRun = options.dryRun === true;
  return withRepository(options, async (_repository, _outbox, database) => {
    const pruned = await prune(database, { before, now, isDryRun });
    const time = keep === undefined ? null : new Date(before).toISOString();
    if (options.json) process.stdout.write(`${toJson({ before: time, isDryRun, ...pruned }, 2)}\n`);
    else process.stdout.write(`${describe(pruned)} ${isDryRun ? 'would be deleted' : 'deleted'}\n`);
    return 0;
  });
}

/** How long something is kept, in milliseconds. @throws {CommandError} if it is no time from a day on. */
export function keepOf(text: string | undefined, option: string): number | undefined {
  return text === undefined ? undefined : parseDuration(text, option, SHORTEST, '30d or 400d');
}

export interface KeepOptions {
  /** Milliseconds. */
  readonly keep: number;
  readonly signal: AbortSignal;
  /** Only now. */
  readonly once: boolean;
  /** Waits for so many milliseconds, or until the signal is aborted. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Deletes what is old now, and every hour until it is aborted. Failures are told of, and it is tried again. */
export async function keepPruning(database: WatchDatabase, options: KeepOptions): Promise<void> {
  const { keep, signal, once, sleep } = options;
  while (!signal.aborted) {
    const now = Date.now();
    try {
      const pruned = await prune(database, { before: now - keep, now, signal });
      if (Object.values(pruned).some((count) => count > 0)) tell(`${describe(pruned)} deleted`);
    } catch (error) {
      if (!signal.aborted) tell(`old versions were not deleted: ${(error as Error).message}`);
    }
    if (once) return;
    await sleep(PAUSE);
  }
}

function describe({ versions, events, messages, contents, bytes }: Pruned): string {
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
