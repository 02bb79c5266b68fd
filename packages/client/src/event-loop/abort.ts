// Ends waits when a signal is aborted. Any number of them can share a signal: each listens to a derived one, because Node reports more than
// ten listeners of one signal as a leak.
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a promise, or rejects with the signal's reason if the signal aborts first. The work of the promise continues. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const own = AbortSignal.any([signal]);
    const abort = (): void => reject(signal.reason);
    if (own.aborted) abort();
    own.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => own.removeEventListener('abort', abort));
  });
}

/**
 * Waits for a time.
 *
 * @throws an AbortError if the signal aborts first.
 */
export async function sleepUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: AbortSignal.any([signal]) });
}
