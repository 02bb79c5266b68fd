/**
 * Ends the wait for a promise when a signal is aborted.
 *
 * @module
 */

/** Returns the same promise, but rejected with the signal's reason if the signal is aborted first. What the promise does goes on. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    // A signal of its own: many calls may wait on the caller's, and Node would report that as a leak.
    const own = AbortSignal.any([signal]);
    const abort = (): void => reject(signal.reason);
    if (own.aborted) abort();
    own.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => own.removeEventListener('abort', abort));
  });
}
