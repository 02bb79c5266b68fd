// The worker of access logs: reads one log at a time, beside the checks of robots.txt files. Any number of workers share a database.

import { workWhenDue } from '../scheduled/work-when-due.ts';
import { RETRY_PAUSE } from '../storage/attempts.ts';
import { renewWhile } from '../storage/rows.ts';
import type { EventRow } from '../storage/tables.ts';
import type { ClaimedLog, LogRepository } from './log-repository.ts';
import type { ReadOptions } from './read-watched-log.ts';

export interface LogWorkerOptions extends ReadOptions {
  readonly repository: LogRepository;
  /** Whether it stops when no log is due. */
  readonly once?: boolean;
  /** Receives each log that was read, and the events. */
  readonly onRead?: (origin: string, path: string, events: readonly EventRow[]) => void;
  /** Receives failures, after which the work continues. */
  readonly onError?: (what: string, error: unknown) => void;
}

/** Works until the signal aborts; with `once`, until no log is due. A reading in progress is given up: it is repeated later. */
export async function workLogs(options: LogWorkerOptions): Promise<void> {
  await workWhenDue({
    ...options,
    work: (log) => work(log, options),
    onFailure: (error) => options.onError?.('an access log could not be read', error),
  });
}

async function work(log: ClaimedLog, options: LogWorkerOptions): Promise<void> {
  const { repository, now, signal, onRead, onError } = options;
  const { origin, path, settings, owner } = log;
  await renewWhile(
    () => repository.renew(owner),
    async () => {
      try {
        // Only a monitor with logs needs these modules.
        const { readWatchedLog } = await import('./read-watched-log.ts');
        const result = await readWatchedLog(log, options);
        const events = await repository.record(log, { ...result, dueAt: result.at + settings.every });
        onRead?.(origin, path, events);
        if (result.log === null) onError?.(`the access log of ${origin}`, new Error(result.failure ?? ''));
      } catch (error) {
        if (signal.aborted) {
          await repository.release(log);
          return;
        }
        onError?.(`the access log ${path} of ${origin} was not read`, error);
        await repository.release(log, now() + Math.min(settings.every, RETRY_PAUSE));
      }
    },
  );
}
