/**
 * Ends the wait for a promise when a signal is aborted.
 *
 * @module
 */

/** Waits for a promise, or rejects with the signal's reason if the signal aborts first. The work of the promise continues. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    // A derived signal: Node reports many listeners of the caller's signal as a leak.
    const own = AbortSignal.any([signal]);
    const abort = (): void => reject(signal.reason);
    if (own.aborted) abort();
    own.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => own.removeEventListener('abort', abort));
  });
}
