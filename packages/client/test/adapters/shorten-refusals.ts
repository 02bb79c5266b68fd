// Refusals that end soon: the queue of Crawlee has the clock of the system.
import type { Decider } from '../../src/adapters/crawlee.ts';
import type { RobotsClient } from '../../src/origins/client/client.ts';
import { ForbiddenUrlError } from '../../src/origins/refusal.ts';

/** Milliseconds after which a request that is refused for now is tried again. */
const DELAY = 100;

/** A decider whose refusals end soon, whatever the outage policy says. @param passTo - sets the clock of the client to a time. */
export function shortenRefusals(client: RobotsClient, passTo: (time: number) => void): Decider {
  return {
    decide: (url, options) => client.decide(url, options),
    takeTurn: async (url, options) => {
      try {
        return await client.takeTurn(url, options);
      } catch (error) {
        if (error instanceof ForbiddenUrlError && error.retryAt !== null) {
          passTo(error.retryAt);
          Object.assign(error, { retryAt: Date.now() + DELAY });
        }
        throw error;
      }
    },
  };
}
