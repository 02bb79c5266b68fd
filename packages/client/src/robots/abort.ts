/**
 * Waiting no longer than until somebody has had enough.
 *
 * @module
 */

/** The same promise, but rejected with the signal's reason when the signal comes first. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    // A signal of its own: many may wait on the caller's, which would take that for a leak.
    const own = AbortSignal.any([signal]);
    const abort = (): void => reject(signal.reason);
    if (own.aborted) abort();
    own.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => own.removeEventListener('abort', abort));
  });
}
