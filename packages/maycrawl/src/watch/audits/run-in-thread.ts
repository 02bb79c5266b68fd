// Runs a scheduled audit in a thread of its own. Verdicts and reports about a large site take seconds without a pause, in which the monitor
// could neither renew its leases nor check other sites.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AuditTask } from './audit-thread.ts';
import type { runAudit } from './run-audit.ts';

/**
 * Does the same as {@link runAudit} in a thread, by the clock of the system. The abort of the signal interrupts the run, which then ends
 * in a state from which it can continue.
 */
export const runInThread: typeof runAudit = async (audit, name, startedAt, options) => {
  const { folder, userAgent, timeout, allowPrivateAddresses, pageFolder, signal } = options;
  const task: AuditTask = {
    ...{ audit, name, startedAt, folder: folder.path, userAgent, timeout, allowPrivateAddresses },
    ...(pageFolder !== undefined && { pageFolder }),
  };
  const thread = new Worker(new URL('./audit-thread.js', import.meta.url), {
    workerData: task,
    execArgv: [],
  });
  const stop = (): void => thread.postMessage('stop');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const ended = once(thread, 'exit').then(([code]) => {
      throw new Error(`the thread of the audit ended with exit code ${code}`);
    });
    const [outcome] = await Promise.race([once(thread, 'message'), ended]);
    return outcome;
  } finally {
    signal.removeEventListener('abort', stop);
    await thread.terminate();
  }
};
