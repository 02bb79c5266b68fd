// The thread of a scheduled audit, for run-in-thread.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ClaimedAudit } from './audit-repository.ts';
import { type RunOptions, runAudit } from './run-audit.ts';
import { RunFolder } from './run-folder.ts';

/** A run as data for the thread. */
export interface AuditTask
  extends Pick<RunOptions, 'userAgent' | 'timeout' | 'allowPrivateAddresses' | 'pageFolder'> {
  readonly audit: ClaimedAudit;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The path of the folder of runs. */
  readonly folder: string;
}

const { audit, name, startedAt, folder, ...options } = workerData as AuditTask;
const stop = new AbortController();
parentPort?.once('message', () => stop.abort(new Error('the monitor stops')));
const outcome = await runAudit(audit, name, startedAt, {
  ...{ ...options, folder: new RunFolder(folder), signal: stop.signal, now: Date.now },
  sleep: (milliseconds) => sleep(milliseconds, undefined, { signal: stop.signal }).catch(() => {}),
});
parentPort?.postMessage(outcome);
