/**
 * What ends a command of the census before its time: the user, or a scheduler of jobs.
 *
 * @module
 */

/** Ctrl-C, and what schedulers and `kill` send. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Calls a function at the first of the signals. A second one ends the process. @returns a function that ends the waiting. */
export function onInterrupt(stop: () => void): () => void {
  const finish = (): void => {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  };
  const interrupt = (): void => {
    finish();
    stop();
  };
  for (const signal of SIGNALS) process.once(signal, interrupt);
  return finish;
}
