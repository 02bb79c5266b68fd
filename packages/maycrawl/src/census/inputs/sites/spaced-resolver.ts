// Spaces requests by address: many sites are on one server, which must not receive the requests of all of them together.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Resolver } from '@maycrawl/client/internal';

/** Addresses after which those are removed whose time has passed. */
const MAX_ADDRESSES = 10_000;

/**
 * Creates a resolver that returns the addresses of a host when a request may be sent to the first of them. The wait is reported as one in
 * a queue of this process, so that it counts for no deadline.
 *
 * @param spacing - milliseconds between two requests to one address.
 * @param now - milliseconds of a clock that never goes back.
 */
export function createSpacedResolver(
  resolver: Resolver,
  spacing: number,
  now: () => number = () => performance.now(),
): Resolver {
  /** When the next request to an address may be sent. */
  const times = new Map<string, number>();
  return {
    resolve: async (hostname, options = {}) => {
      const addresses = await resolver.resolve(hostname, options);
      const [address] = addresses;
      if (address === undefined || spacing === 0) return addresses;
      const time = now();
      const at = Math.max(time, times.get(address) ?? time);
      if (times.size >= MAX_ADDRESSES)
        for (const [other, next] of times) if (next <= time) times.delete(other);
      times.set(address, at + spacing);
      if (at > time) {
        options.onQueue?.();
        await sleep(at - time, undefined, options.signal && { signal: options.signal });
        options.onSend?.();
      }
      return addresses;
    },
  };
}
