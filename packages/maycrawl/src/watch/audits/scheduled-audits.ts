// The scheduled audits of a monitor.
import { type EventReport, toEventReport } from '../event-report.ts';
import type { WatchDatabase } from '../storage/database.ts';
import { AuditRepository } from './audit-repository.ts';
import type { AuditWorkerOptions } from './audit-worker.ts';

export interface ScheduledAuditsOptions
  extends Pick<
    AuditWorkerOptions,
    'userAgent' | 'timeout' | 'allowPrivateAddresses' | 'signal' | 'now' | 'sleep' | 'once' | 'onError'
  > {
  /** The folder of their runs. @defaultValue no audits are run */
  readonly audits?: string;
  /** Receives each origin whose audit begins or continues, and the name of its run. */
  readonly onAuditStarted?: (origin: string, run: string) => void;
  /** Receives each origin whose audit ended, the name of its run and the events. */
  readonly onAuditEnded?: (origin: string, run: string, events: readonly EventReport[]) => void;
}

/** Runs scheduled audits until the signal aborts; with `once`, until none is due. */
export async function runScheduledAudits(
  database: WatchDatabase,
  { audits, onAuditStarted, onAuditEnded, ...options }: ScheduledAuditsOptions,
): Promise<void> {
  const repository = new AuditRepository(database);
  if (audits === undefined) {
    if ((await repository.nextDue()) !== null)
      options.onError?.(
        'scheduled audits are not run',
        new Error('this monitor has no folder for their runs'),
      );
    return;
  }
  // Only a monitor with audits needs these modules.
  const [{ workAudits }, { RunFolder }, { runInThread }] = await Promise.all([
    import('./audit-worker.ts'),
    import('./run-folder.ts'),
    import('./run-in-thread.ts'),
  ]);
  await workAudits({
    ...{ ...options, repository, folder: new RunFolder(audits), run: runInThread },
    ...(onAuditStarted && { onStarted: onAuditStarted }),
    onEnded: (origin, run, events) => onAuditEnded?.(origin, run, events.map(toEventReport)),
  });
}
