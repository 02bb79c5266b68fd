// A pace that processes share through the leases of their store: one request to an origin at a time, and its pauses, for all of them.
import { randomUUID } from 'node:crypto';
import { unlessAborted } from '../../event-loop/abort.ts';
import type { SharedPace } from '../../pace/pacer.ts';
import type { ClientTasks } from '../client-tasks.ts';
import type { FailSafeStore } from '../fail-safe-store.ts';
import { Leases } from '../leases.ts';

/** The shortest time between two requests to an origin, in which each process has a chance. Milliseconds. */
const SHORTEST_GAP = 100;
/** The longest pause that keeps other processes away. They learn of a longer one by their own requests. Milliseconds. */
const LONGEST_GAP = 60_000;

/**
 * Creates a shared pace. Without its store, and with one that has no leases, each process has a pace of its own.
 *
 * @param store - whose leases are shared.
 * @param tasks - the tasks that the store must wait for before it is closed.
 */
export function createSharedPace(store: FailSafeStore, tasks: ClientTasks): SharedPace {
  const leases = new Leases(store);
  let waiting = 0;
  return {
    take: async (origin, signal) => {
      const owner = randomUUID();
      const key = toLeaseKey(origin);
      const since = performance.now();
      for (;;) {
        const isFree = await leases.take(key, owner);
        if (isFree === undefined) return () => {};
        if (isFree) {
          // The lease ends by itself after the pause, also if the process ends before.
          return (pause) => {
            leases.end(owner);
            const gap = Math.min(Math.max(Math.ceil(pause), SHORTEST_GAP), LONGEST_GAP);
            void tasks.track(store.lease(key, owner, gap));
          };
        }
        waiting++;
        // However many origins wait, the store gets a thousand attempts a second.
        await unlessAborted(leases.wait(since, waiting), signal).finally(() => waiting--);
      }
    },
  };
}

/** The lease for pages is another one than that for the robots.txt of the origin. */
function toLeaseKey(origin: string): string {
  return `pace ${origin}`;
}
