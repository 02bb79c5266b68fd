// What ends a command before its time: the user, or a scheduler of jobs.

/** Ctrl-C, and what schedulers and `kill` send. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Calls a function at the first of some signals. A second one ends the process.
 *
 * @param signals - by default those that are to leave no unfinished file.
 * @returns a function that ends the waiting.
 */
export function onInterrupt(
  stop: (signal: NodeJS.Signals) => void,
  signals: readonly NodeJS.Signals[] = SIGNALS,
): () => void {
  const finish = (): void => {
    for (const signal of signals) process.removeListener(signal, interrupt);
  };
  const interrupt = (signal: NodeJS.Signals): void => {
    finish();
    stop(signal);
  };
  for (const signal of signals) process.once(signal, interrupt);
  return finish;
}
