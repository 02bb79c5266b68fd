/**
 * Lets only so many fetches go on at the same time, whoever wants them.
 *
 * @module
 */
import type { Fetcher } from '../client/asking.ts';

/** The same fetcher, of which at most `limit` calls go on at a time; the others wait their turn, unless they are aborted. */
export function gated(fetcher: Fetcher, limit: number): Fetcher {
  let free = limit;
  const waiting = new Set<() => void>();
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        waiting.delete(go);
        reject(signal.reason);
      };
      signal.throwIfAborted();
      waiting.add(go);
      signal.addEventListener('abort', stop, { once: true });
    });
  return async (url, validators, options) => {
    if (free > 0) free--;
    else await turn(options.signal);
    try {
      return await fetcher(url, validators, options);
    } finally {
      // The turn is handed on; it is free only if nobody waits.
      const [next] = waiting;
      if (next === undefined) free++;
      else {
        waiting.delete(next);
        next();
      }
    }
  };
}
